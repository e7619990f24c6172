// The steps of the ladder arrays that make their words on the host: each one publishes the hits of these words.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/hits/source.hpp"
#include "kernels/arrays/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/host/kernels/arrays/golden.hpp"

using bench::Shape;
using bench::Step;

namespace {

std::vector<const Step*> steps_with_words_of_the_host() {
    std::vector<const Step*> steps;
    for (const auto& all : {arrays::versions(), arrays::ablations()}) {
        std::copy_if(all.begin(), all.end(), std::back_inserter(steps),
                     [](const Step* step) { return bench::source_of(*step).name == std::string("mt19937"); });
    }
    return steps;
}

class WordsOfTheHost : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    const Step& step() const { return *GetParam(); }
    bool chunked() const {
        const std::string number = std::string(step().name).substr(0, 2);
        return number == "a7" || number == "a8";
    }

    void expect_hits(Shape shape, unsigned iters, std::uint64_t launch, std::uint64_t hits) const {
        const auto counts = published(step(), shape, iters, golden::seed, launch);
        EXPECT_EQ(counts, std::vector<bench::Count>{hits})
            << shape.blocks << " x " << shape.threads << " x " << iters << ", launch " << launch;
    }
};

TEST_P(WordsOfTheHost, HaveTheGoldenHitCounts) {
    const golden::Hits& million = chunked() ? golden::of_chunks[1] : golden::of_words[1];
    for (const std::uint64_t launch : {0, 1}) expect_hits({31'250, 32}, 1, launch, million.launch[launch]);
}

TEST_P(WordsOfTheHost, HaveTheGoldenHitCountAtTheDefaults) {
    const Shape shape = {step().default_blocks, step().default_threads};
    const golden::Hits& all = chunked() ? golden::of_chunks[2] : golden::of_words[2];
    const bool serial = std::string(step().name).substr(0, 2) == "a2";
    ASSERT_EQ(bench::total_threads(shape) * step().default_iters, serial ? 1 << 24 : all.samples);
    expect_hits(shape, step().default_iters, 0,
                serial ? bench::source_of(step()).replay_launch(golden::seed, 0, 1 << 24) : all.launch[0]);
}

TEST_P(WordsOfTheHost, AreProfiledInOneLaunch) {
    const auto run = run_program(step(), {"--profile", "--blocks", "1000"});
    EXPECT_EQ(run.exit_code, bench::exit_done) << run.err;
    EXPECT_NE(run.out.find(" sd from its expectation"), std::string::npos) << run.out;
}

TEST_P(WordsOfTheHost, ThatDoNotFitAreRefusedWithTheirSize) {
    const auto run = run_program(step(), {"--blocks", "2147483647", "--threads", "1024"});  // 16 TiB of words
    EXPECT_EQ(run.exit_code, bench::exit_usage);
    EXPECT_NE(run.err.find(" bytes"), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_EQ(run.out, "");
}

INSTANTIATE_TEST_SUITE_P(Arrays, WordsOfTheHost, testing::ValuesIn(steps_with_words_of_the_host()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
