// The options' programs for the CPU in vectors: each instruction set of this machine publishes what the replay of the GPU's threads
// gives, on any number of cores.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/estimands/means/means_of.hpp"
#include "kernels/options/shared/cpu_clones.hpp"
#include "tests/host/kernels/cpu_launch.hpp"
#include "tests/host/kernels/options/vector_math.hpp"

namespace normals::vectors {
const std::vector<options::Clone>& clones();
extern const bench::Step step;
}  // namespace normals::vectors
namespace asian::vectors {
const std::vector<options::Clone>& clones();
extern const bench::Step step;
}  // namespace asian::vectors
namespace lookback::vectors {
const std::vector<options::Clone>& clones();
extern const bench::Step step;
}  // namespace lookback::vectors
namespace vector_math {
DECLARE_CLONES(VectorMath, math)
std::vector<bench::Clone<VectorMath>> clones() { return CLONES(math, x86_64_v4); }
}  // namespace vector_math

namespace {

using bench::Count;
using options::Clone;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;
constexpr unsigned streams = options::vector_streams, lanes = options::lanes_of_stream;

/// A step and the clones of its loop.
struct Program {
    const bench::Step* step;
    const std::vector<Clone>& clones;
};

const Program programs[] = {{&normals::vectors::step, normals::vectors::clones()},
                            {&asian::vectors::step, asian::vectors::clones()},
                            {&lookback::vectors::step, lookback::vectors::clones()}};

/// What some streams of a clone publish in launch number `index`.
std::vector<Count> published(const Program& program, const Clone& clone, std::uint64_t index, unsigned iters,
                             std::initializer_list<unsigned> streams) {
    bench::Launch launch = {bench::spec_of(*program.step, seed, {1, 2}, iters)};
    std::vector<Count> counts(launch.published, bench::unwritten);
    launch.index = index;
    launch.counts = counts.data();
    for (const unsigned stream : streams) options::run_stream(launch, clone.made, stream);
    return counts;
}

bench::Replay replay_of(const Program& program) {
    const bench::Step& step = *program.step;
    return step.estimand->replay(bench::spec_of(step, seed, {1, 1}, step.default_iters), nullptr, 512).value();
}

class CpuVectors : public testing::TestWithParam<Program> {};

TEST_P(CpuVectors, PublishWhatTheReplayGives) {
    const bench::Replay replay = replay_of(GetParam());
    ASSERT_EQ(replay.parts, streams);
    for (const Clone& clone : GetParam().clones) {
        auto counts = published(GetParam(), clone, bench::rehearsed_launch, replay.spec.iters, {0, 1, streams - 1});
        for (const unsigned part : {0u, 1u, streams - 1}) {
            EXPECT_EQ(difference(replay, bench::rehearsed_launch, part, counts), "") << clone.isa;
        }
        for (unsigned c = 0; c < options::vector_columns; c++) std::swap(counts[c * streams], counts[c * streams + 1]);
        EXPECT_NE(difference(replay, bench::rehearsed_launch, 0, counts), "")
            << clone.isa << ": sums of another stream";
    }
}

// That launch has few paths. Sums are in doubles for 128 paths of a lane.
TEST_P(CpuVectors, SumsOfManyPathsAreThoseOfTheReplay) {
    constexpr unsigned iters = 300;
    const bench::MeansOf& what = bench::means_of(*GetParam().step->estimand);
    const std::size_t n = what.statistics.size();
    std::vector<double> sums(n), products(n);
    for (std::uint64_t thread = lanes; thread < 2 * lanes; thread++) {
        what.replay.numbers({seed, 0, streams * lanes, thread}, iters, [&](const double* v) {
            for (std::size_t i = 0; i < n; i++) {
                sums[i] += v[i] * what.per;
                products[i] += v[i] * what.per * v[i] * what.per;
            }
        });
    }
    for (const Clone& clone : GetParam().clones) {
        const auto counts = published(GetParam(), clone, 0, iters, {1});
        const auto column = [&](unsigned c) { return static_cast<double>(counts[c * streams + 1]); };
        EXPECT_EQ(column(0), lanes * iters);
        EXPECT_EQ(column(1), 0) << "bad ones";
        for (unsigned i = 0; i < n; i++) {
            const double unit = std::ldexp(1, -what.statistics[i].bits), paths = lanes * iters;
            const double deviation = std::sqrt(products[i] / paths);
            EXPECT_NEAR((column(3 + i) - paths * (1 << 22)) * unit / paths, sums[i] / paths, 2e-5 * deviation);
            EXPECT_NEAR(column(i == 0 ? 5 : 7) * unit * unit, products[i], 1e-4 * products[i]);
        }
    }
}

TEST_P(CpuVectors, SumsDoNotDependOnTheNumberOfThreads) {
    const auto one = published_on_cpu(*GetParam().step, seed, 7, 2, 1);
    for (const unsigned threads : {2u, 3u, 5u}) {
        EXPECT_EQ(published_on_cpu(*GetParam().step, seed, 7, 2, threads), one);
    }
}

TEST_P(CpuVectors, LaunchesPassTheVerdictUnlessAStreamIsMissing) {
    const auto judge = [&](bool is_missing) {
        judge_launches(*GetParam().step, seed, 3, 6, [&](std::uint64_t k) {
            auto counts = published_on_cpu(*GetParam().step, seed, k, 3);
            for (unsigned c = 0; is_missing && c < options::vector_columns; c++) counts[c * streams + 9] = 0;
            return counts;
        });
    };
    EXPECT_NO_THROW(judge(false));
    EXPECT_THROW(judge(true), bench::VerdictError);
}

INSTANTIATE_TEST_SUITE_P(Options, CpuVectors, testing::ValuesIn(programs),
                         [](const auto& info) { return std::string("ladder") + std::to_string(info.index); });

/// The functions for the instruction sets of this machine.
std::vector<VectorMath> math_of_this_machine() {
    std::vector<VectorMath> all;
    for (const auto& clone : vector_math::clones()) all.push_back(clone.made);
    return all;
}

class VectorMathOf : public testing::TestWithParam<VectorMath> {
 protected:
    /// Calls check(x, y) for y = function(x) of every x.
    template <typename From, typename Check>
    void for_each(void (*function)(const From*, float*), std::vector<From> x, Check&& check) const {
        while (x.size() % GetParam().width != 0) x.push_back(x.back());
        std::vector<float> y(x.size());
        for (std::size_t i = 0; i < x.size(); i += GetParam().width) function(&x[i], &y[i]);
        for (std::size_t i = 0; i < x.size(); i++) check(x[i], y[i]);
    }
};

/// Words of all sizes, and both sides of every power of two.
std::vector<unsigned> words() {
    std::vector<unsigned> words;
    for (std::uint64_t word = 0; word < std::uint64_t{1} << 32; word += 9973)
        words.push_back(static_cast<unsigned>(word));
    for (unsigned bit = 0; bit < 32; bit++) {
        for (unsigned i = 0; i < 300; i++) {
            words.push_back((1u << bit) + i);
            words.push_back((1u << bit) - 1 - i);
        }
    }
    return words;
}

/// -log2 u of the word of a radius.
double minus_log2_u(unsigned word) { return -std::log2(std::fabs((static_cast<std::int32_t>(word) + 0.5) * 0x1p-31)); }

TEST_P(VectorMathOf, LogarithmsAreThoseOfDoubles) {
    for_each(GetParam().minus_log2_of_31_bits, words(), [](unsigned word, float logarithm) {
        ASSERT_GT(logarithm, 0) << word;
        ASSERT_NEAR(logarithm, minus_log2_u(word), 8e-7 + 6e-8 * minus_log2_u(word)) << word;
    });
}

TEST_P(VectorMathOf, RadiiAreThoseOfDoubles) {
    for_each(GetParam().radius, words(), [](unsigned word, float radius) {
        ASSERT_FALSE(std::isnan(radius)) << word;
        const double exact = std::sqrt(minus_log2_u(word));
        if (exact < 0.12) return;  // near 1 the 24 bits of u say little of its logarithm
        ASSERT_NEAR(radius, exact, 6e-7 + 2e-7 * exact) << word;
    });
}

TEST_P(VectorMathOf, RootsAreThoseOfDoublesAndOfWhatIsRoundedBelow0Almost0) {
    std::vector<float> x = {0, -0.0f, -1e-9f, 1, 2, 44, 1e-20f, 1e-40f, 1e20f};
    for (float one = 1e-7f; one < 50; one *= 1.001f) x.push_back(one);
    for_each(GetParam().root_of_rounded, x, [](float of, float root) {
        const double exact = std::sqrt(std::fmax(0, double{of}));
        ASSERT_NEAR(root, exact, 1.5e-7 * exact + 1.1e-15) << of;
    });
}

TEST_P(VectorMathOf, RootsOfWhatIsNotFiniteAreNotFinite) {
    constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    for_each(GetParam().root_of_rounded, std::vector<float>{nan, -nan, inf},
             [](float of, float root) { ASSERT_FALSE(std::isfinite(root)) << of; });
}

TEST_P(VectorMathOf, PowersOfTwoAreThoseOfDoubles) {
    std::vector<float> x = {0, -0.5f, 0.5f, 0.49999997f, -125.9f, 125.9f};
    for (float one = -125; one < 125; one += 0.000737f) x.push_back(one);
    for_each(GetParam().exp2f, x,
             [](float of, float power) { ASSERT_NEAR(power / std::exp2(double{of}), 1, 2e-7) << of; });
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, VectorMathOf, testing::ValuesIn(math_of_this_machine()),
                         [](const auto& info) { return "clone" + std::to_string(info.index); });

}  // namespace
