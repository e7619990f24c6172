// Every lookback step publishes the sums of the paths that its words make, in double, and its verdict passes.
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/choice.hpp"
#include "bench/cli/errors.hpp"
#include "bench/cuda/device.hpp"
#include "bench/estimands/means.hpp"
#include "kernels/lookback/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/lookback_replay.hpp"

using bench::Count;
using bench::Shape;
using bench::Step;
using bench::StreamId;

namespace {

namespace replay = lookback_replay;
constexpr std::uint64_t seed = 1234;

/// The normals of each of the paths of a thread.
using Replay = std::function<void(const StreamId&, unsigned paths, const replay::Use&)>;

template <typename Draws, unsigned steps>
void daily(const StreamId& id, unsigned paths, const replay::Use& use) {
    replay::daily<Draws>(steps, id, paths, use);
}

const std::map<std::string, Replay> replays = {
    {"l1", daily<pi::HybridTauswortheDraws, 8>},
    {"l1_steps15", daily<pi::HybridTauswortheDraws, 15>},
    {"l1_steps64", daily<pi::HybridTauswortheDraws, 64>},
    {"l2", daily<pi::HybridTauswortheDraws, 8>},
    {"l2_steps15", daily<pi::HybridTauswortheDraws, 15>},
    {"l3", replay::in_threes<replay::add_half_pair>},
    {"l3_xu", replay::in_threes<replay::add_half_pair>},
    {"l3_daily", replay::in_threes<replay::add_pair>},
    {"l4", replay::in_threes<replay::add_half_pair>},
    {"l5", replay::sobol},
    {"l6", replay::counted},
};

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
    const Step& step() const { return *GetParam(); }
    const bench::MeansOf& facts() const { return bench::means_of(*step().estimand); }

    /// Its counts. The harness settles the grid first, so that the kernel may use its shared memory.
    std::vector<Count> counts(Shape shape, unsigned iters, std::uint64_t launch) const {
        bench::resolve_shape(step(), shape.blocks, shape.threads, 0);
        return published(step(), shape, iters, seed, launch);
    }

    /// Calls use(values) for each path of some threads, with its statistics in double.
    void replayed(Shape shape, unsigned first, unsigned threads, unsigned iters, std::uint64_t launch,
                  const std::function<void(const std::vector<double>&)>& use) const {
        for (unsigned t = first; t < first + threads; t++) {
            replays.at(step().name)({seed, launch, bench::total_threads(shape), t}, iters,
                                    [&](const replay::Normals& normals) {
                                        const auto path = replay::path_of(normals, facts().steps);
                                        if (facts().controls == 1) {
                                            use({path.payoff, path.twin, path.log_return});
                                        } else {
                                            use({path.payoff, path.log_return});
                                        }
                                    });
        }
    }
};

/// The standard deviation that rounding to the grid adds to a sum of n numbers.
double rounding(int bits, unsigned n) { return std::ldexp(std::sqrt(n / 12.0), -bits); }

TEST_P(EveryLookback, PublishesTheSumsOfItsPaths) {
    const Shape shape = {3, 128};
    const unsigned iters = facts().steps > 100 ? 7 : 101;  // not a multiple of what the kernels unroll
    const unsigned paths = shape.threads * iters;
    const std::size_t n = facts().statistics.size();
    for (const std::uint64_t launch : {0u, 7u}) {
        const auto published = counts(shape, iters, launch);
        ASSERT_EQ(published.size(), bench::columns_of(n) * shape.blocks);
        for (unsigned block = 0; block < shape.blocks; block++) {
            const auto column = [&](std::size_t i) { return published[i * shape.blocks + block]; };
            std::vector<double> sums(n);
            std::vector<std::vector<double>> products(n, std::vector<double>(n));
            double positive = 0;
            replayed(shape, block * shape.threads, shape.threads, iters, launch, [&](const auto& values) {
                positive += values[0] > 0;
                for (std::size_t i = 0; i < n; i++) {
                    sums[i] += values[i];
                    for (std::size_t j = i; j < n; j++) products[i][j] += values[i] * values[j];
                }
            });
            EXPECT_EQ(column(0), paths);
            EXPECT_EQ(column(1), 0u);
            EXPECT_NEAR(static_cast<double>(column(2)), positive, 2);
            std::size_t pair = 3 + n;
            for (std::size_t i = 0; i < n; i++) {
                const auto& [name, bits, mean, variance, kurtosis] = facts().statistics[i];
                const bool is_price = std::string(name) != "log return";
                const double tolerance =
                    paths * 2 * (is_price ? facts().bias.within : mean.within) + 5 * rounding(bits, paths);
                const double sum = std::ldexp(static_cast<double>(column(3 + i)) - std::ldexp(paths, 22), -bits);
                EXPECT_NEAR(sum, sums[i], tolerance) << name << ", block " << block;
                for (std::size_t j = i; j < n; j++, pair++) {
                    const auto offset = i < j ? static_cast<Count>(paths) << 44 : 0;
                    const auto product =
                        std::ldexp(static_cast<double>(static_cast<std::int64_t>(column(pair) - offset)),
                                   -bits - facts().statistics[j].bits);
                    EXPECT_NEAR(product, products[i][j], 1e-4 * std::sqrt(products[i][i] * products[j][j]) + 1e-4)
                        << name << " x " << facts().statistics[j].name << ", block " << block;
                }
            }
        }
    }
}

// The mean error of the arithmetic, which the verdict allows for.
TEST_P(EveryLookback, HasTheMeanOfDoubleWithinTheErrorOfFloats) {
    const unsigned iters = facts().steps > 100 ? 2 : facts().steps > 8 ? 16 : 128;
    const Shape shape = {32, 256};
    const auto paths = static_cast<unsigned>(bench::total_threads(shape) * iters);
    double exact = 0, sum = 0;
    replayed(shape, 0, shape.blocks * shape.threads, iters, 0, [&](const auto& values) { exact += values[0]; });
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
    } catch (const bench::UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("--threads: l1 needs 1048576 bytes of shared memory"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
