// The payoffs of every lookback step have the mean of their replay in double, and its verdict passes.
#include <cmath>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/means/means.hpp"
#include "bench/options/own_options.hpp"
#include "bench/workers/gpu/device.hpp"
#include "kernels/lookback/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"

using bench::Count;
using bench::Shape;
using bench::Step;

namespace {

constexpr std::uint64_t seed = 1234;

/// Every step and ablation with random numbers, and the other steps that their programs offer.
std::vector<const Step*> random_steps() {
    std::vector<const Step*> all = lookback::versions();
    all.insert(all.end(), lookback::ablations().begin(), lookback::ablations().end());
    for (std::size_t i = 0; i < all.size(); i++) {
        for (const Step* other : bench::others_of(*all[i])) all.push_back(other);
    }
    std::erase_if(all, [](const Step* step) { return bench::means_of(*step->estimand).constant; });
    return all;
}

class EveryLookback : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    void SetUp() override {
        GpuTest::SetUp();
        skip_without_memory_for(step());
    }

    const Step& step() const { return *GetParam(); }
    const bench::MeansOf& facts() const { return bench::means_of(*step().estimand); }

    /// Its counts. The harness settles the grid first, so that the kernel may use its shared memory.
    std::vector<Count> counts(Shape shape, unsigned iters, std::uint64_t launch) const {
        bench::resolve_shape(step(), shape.blocks, shape.threads, 0);
        return published(step(), shape, iters, seed, launch);
    }
};

/// The standard deviation that rounding to the grid adds to a sum of n numbers.
double rounding(int bits, unsigned n) { return std::ldexp(std::sqrt(n / 12.0), -bits); }

// The mean error of the arithmetic, which the verdict allows for.
TEST_P(EveryLookback, HasTheMeanOfDoubleWithinTheErrorOfFloats) {
    const unsigned iters = facts().steps > 100 ? 2 : facts().steps > 8 ? 16 : 128;
    const Shape shape = {32, 256};
    const auto paths = static_cast<unsigned>(bench::total_threads(shape) * iters);
    double exact = 0, sum = 0;
    const std::uint64_t threads = bench::total_threads(shape);
    for (std::uint64_t t = 0; t < threads; t++) {
        facts().replay.numbers({seed, 0, threads, t}, iters, [&](const double* statistics) { exact += statistics[0]; });
    }
    const auto published = counts(shape, iters, 0);
    const bench::Statistic& payoff = facts().statistics[0];
    for (unsigned block = 0; block < shape.blocks; block++) {
        const auto places = static_cast<double>(published[3 * shape.blocks + block]);
        sum += std::ldexp(places - std::ldexp(shape.threads * iters, 22), -payoff.bits);
    }
    const double error = (sum - exact) / paths;
    RecordProperty("mean_error", std::to_string(error));
    EXPECT_LT(std::abs(error), facts().bias.within + 5 * rounding(payoff.bits, paths) / paths);
}

TEST_P(EveryLookback, PassesItsVerdict) {
    const ProgramRun run = run_program(step(), {"--launches", "20"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Lookback, EveryLookback, testing::ValuesIn(random_steps()),
                         [](const auto& step) { return std::string(step.param->name); });

class Lookback : public GpuTest {};

TEST_F(Lookback, ConstantNumbersPassTheirVerdict) {
    const ProgramRun run = run_program(*lookback::versions()[0], {"--launches", "2"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(Lookback, ABlockBeyondTheGpusSharedMemoryIsRefused) {
    Step large = *lookback::versions()[1];
    large.dynamic_shared_bytes = [](unsigned) { return std::size_t{1} << 20; };
    try {
        bench::resolve_shape(large, 1, 512, 0);
        ADD_FAILURE() << "accepted";
    } catch (const bench::NoGpuError& error) {
        EXPECT_NE(std::string(error.what()).find("bytes of shared memory for a block of 512 threads, and this GPU has"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
