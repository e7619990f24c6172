// Words made on the GPU: those of cuRAND are those of its CPU side, and every step counts what their replay counts.
#include <map>
#include <string>

#include "bench/errors.hpp"
#include "bench/estimands/hits/source.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/arrays/shared/unwritten_words.hpp"
#include "kernels/arrays/versions.hpp"
#include "kernels/random/curand_library.hpp"
#include "kernels/random/curand_words.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/run_launches.hpp"

namespace {

using bench::Shape;
using bench::Step;
using rng::CurandKind;
using rng::CurandWords;
using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t seed = 1234;

const std::map<std::string, CurandKind> kinds = {
    {"a6_curand_host", rng::mtgp32_words}, {"a9", rng::mtgp32_words},        {"a9_mt19937", rng::mt19937_words},
    {"a9_xorwow", rng::xorwow_words},      {"a9_philox", rng::philox_words}, {"a9_mrg32k3a", rng::mrg32k3a_words},
    {"a9_sobol", rng::sobol_words},
};

const Step& step_named(const std::string& name) {
    for (const auto* some : {&arrays::versions(), &arrays::ablations()}) {
        for (const Step* step : *some) {
            if (step->name == name) return *step;
        }
    }
    throw std::out_of_range(name);
}

Words words_of_host(const CurandKind& kind, std::uint64_t launch, std::size_t n) {
    CurandWords generator(kind, CurandWords::Side::host);
    generator.begin(seed, launch, n);
    Words words(n);
    generator.generate(words.data(), n);
    return words;
}

/// The hits of launches 0, 1, ..., run as one batch.
std::vector<std::uint64_t> hits_of_batch(const Step& step, Shape shape, unsigned iters, unsigned launches) {
    std::vector<std::uint64_t> hits;
    run_launches(step, shape, iters, seed, {0, launches}, [&](auto counts) {
        hits.push_back(total({counts.begin(), counts.end()}));
    });
    return hits;
}

/// Needs cuRAND's library too.
class CurandGpu : public GpuTest {
 protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped()) return;
        try {
            rng::curand_library();
        } catch (const bench::NoGpuError& error) {
            GTEST_SKIP() << error.what();
        }
    }
};

class EveryCurandStep : public CurandGpu, public testing::WithParamInterface<std::pair<const std::string, CurandKind>> {
 protected:
    const Step& step() const { return step_named(GetParam().first); }
    const CurandKind& kind() const { return GetParam().second; }
};

TEST_P(EveryCurandStep, HasTheWordsOfTheHost) {
    constexpr std::size_t n = 1 << 20;
    const bench::Stream stream;
    const bench::DeviceBuffer<std::uint32_t> device(n);
    CurandWords generator(kind(), CurandWords::Side::gpu);
    generator.use(stream.get());
    for (const std::uint64_t launch : {0, 5}) {
        generator.begin(seed, launch, n);
        generator.generate(device.data(), n);
        Words words(n);
        CUDA_CHECK(
            cudaMemcpyAsync(words.data(), device.data(), n * sizeof words[0], cudaMemcpyDeviceToHost, stream.get()));
        stream.synchronize();
        EXPECT_EQ(words == words_of_host(kind(), launch, n), true) << "launch " << launch;
    }
}

TEST_P(EveryCurandStep, EstimatesPiAtItsDefaults) {
    const auto run = run_program(step(), {"--launches", "16"});
    EXPECT_EQ(run.exit_code, bench::exit_done) << run.err;
    EXPECT_NE(run.out.find("samples/ns"), std::string::npos) << run.out;
}

INSTANTIATE_TEST_SUITE_P(Arrays, EveryCurandStep, testing::ValuesIn(kinds),
                         [](const auto& info) { return info.param.first; });

// Computed apart from the suite.
TEST_F(CurandGpu, LaunchesOfAMillionSamplesHaveTheKnownHits) {
    const Shape shape = {1000, 100};
    EXPECT_EQ(hits_of_batch(step_named("a9_xorwow"), shape, 10, 2), (std::vector<std::uint64_t>{785'141, 785'571}));
    EXPECT_EQ(hits_of_batch(step_named("a9_philox"), shape, 10, 2), (std::vector<std::uint64_t>{785'921, 784'973}));
}

cudaError_t nothing(const bench::Launch&) { return cudaSuccess; }

TEST_F(CurandGpu, WordsThatAreNeverWrittenAreRefused) {
    Step step = step_named("a9_philox");
    ASSERT_STREQ(step.phases[0].name, "rng");
    step.phases[0].run = nothing;
    EXPECT_THROW(published(step, {37, 96}, 11, seed, 0), bench::VerdictError);
}

using UnwrittenWords = GpuTest;

TEST_F(UnwrittenWords, AreFoundWhereverTheyAre) {
    constexpr std::size_t n = 100'003;
    const bench::DeviceBuffer<std::uint32_t> words(n);
    CUDA_CHECK(cudaMemset(words.data(), 0, n * sizeof(std::uint32_t)));
    EXPECT_NO_THROW(arrays::refuse_unwritten(words.data(), n, nullptr));
    for (const std::size_t first : {std::size_t{0}, n / 2, n - 32}) {
        CUDA_CHECK(cudaMemset(words.data() + first, 0xff, 32 * sizeof(std::uint32_t)));
        EXPECT_THROW(arrays::refuse_unwritten(words.data(), n, nullptr), bench::VerdictError) << first;
        CUDA_CHECK(cudaMemset(words.data() + first, 0, 32 * sizeof(std::uint32_t)));
    }
}

class CachedWords : public GpuTest, public testing::WithParamInterface<const char*> {
 protected:
    const Step& step() const { return step_named(GetParam()); }
};

TEST_P(CachedWords, EstimatePiAtTheDefaults) {
    const auto run = run_program(step(), {"--launches", "2"});
    EXPECT_EQ(run.exit_code, bench::exit_done) << run.err;
    EXPECT_NE(run.out.find("samples/ns"), std::string::npos) << run.out;
}

INSTANTIATE_TEST_SUITE_P(Arrays, CachedWords, testing::Values("a10", "a10_small", "a11", "a12"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
