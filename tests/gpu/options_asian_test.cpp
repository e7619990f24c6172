// The steps of the ladder asian publish the sums of the paths that their words give in double precision, and the verdict
// finds faults.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/choice.hpp"
#include "bench/cli/errors.hpp"
#include "bench/cuda/device.hpp"
#include "bench/estimands/means_of.hpp"
#include "kernels/asian/versions.hpp"
#include "kernels/options/device/asian_points.hpp"
#include "kernels/options/device/bridge.hpp"
#include "kernels/random/draws.cuh"
#include "tests/gpu/asian_on_gpu.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/host/kernels/options/asian_replay.hpp"

namespace {

using asian::Path;
using asian_replay::Words;
using bench::Count;
using bench::Shape;
using bench::Step;

constexpr std::uint64_t seed = 1234;

std::string idea_of(const Step& step) {
    const std::string name = step.name;
    return name.substr(0, name.find("_steps"));
}

/// The steps whose words can be made again here, with their alternatives.
std::vector<const Step*> steps_with_known_words() {
    std::vector<const Step*> steps;
    for (const Step* step : asian::versions()) {
        if (std::string("a2 a4 a5 a6 a7").find(step->name) == std::string::npos) continue;
        steps.push_back(step);
        for (const Step* other : bench::others_of(*step)) steps.push_back(other);
    }
    return steps;
}

/// Paths of a launch in double precision.
std::vector<Path<double>> replayed(const Step& step, Shape shape, unsigned iters, std::uint64_t launch) {
    const unsigned steps = bench::means_of(*step.estimand).steps;
    const std::uint64_t threads = bench::total_threads(shape);
    std::vector<Path<double>> paths;
    const auto add_paths = [&](auto draw, auto transform) {
        for (unsigned i = 0; i < iters; i++) {
            Words words(2 * steps);
            std::generate(words.begin(), words.end(), [&] { return draw(); });
            paths.push_back(asian_replay::path_of_words(steps, words, transform));
        }
    };
    for (std::uint64_t thread = 0; thread < threads; thread++) {
        const bench::StreamId id = {seed, launch, threads, thread};
        if (idea_of(step) == "a2") {
            add_paths(pi::HybridTauswortheDraws(id), asian_replay::whole_circle);
        } else {
            add_paths(pi::MrgDraws(id), asian_replay::half_circle);
        }
    }
    return paths;
}

/// Those of the first points of the set, shifted: coordinates in the order of the bridge's visits have words 0, 1, ...
std::vector<Path<double>> paths_of_points(const Step& step, Shape shape, unsigned iters, std::uint64_t launch) {
    const unsigned steps = bench::means_of(*step.estimand).steps;
    const Words directions = asian::directions_in_order(steps, asian::Order::bridge);
    std::vector<Path<double>> paths;
    for (std::uint32_t n = 0; n < bench::total_threads(shape) * iters; n++) {
        Words point(2 * steps);
        for (unsigned i = 0; i < 2 * steps; i++) {
            std::uint32_t word = pi::stream_seed(seed, launch, 0, i);
            for (unsigned k = 0; k < 32; k++) {
                if ((n ^ n >> 1) >> k & 1) word ^= directions[2 * k * steps + i];
            }
            point[2 * options::node_of_visit(i / 2, steps) + i % 2] = word;
        }
        paths.push_back(asian_replay::path_of_point(steps, point));
    }
    return paths;
}

class AsianSteps : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    const Step& step() const { return *GetParam(); }
    bool of_points() const { return idea_of(step()) == "a7"; }

    void expect_sums(Shape shape, unsigned iters, std::uint64_t launch) const {
        bench::resolve_shape(step(), shape.blocks, shape.threads, 0);  // allows the shared memory
        const auto counts = published(step(), shape, iters, seed, launch);
        const auto column = [&](std::size_t i) {
            std::uint64_t sum = 0;
            for (unsigned block = 0; block < shape.blocks; block++) sum += counts[i * shape.blocks + block];
            return sum;
        };
        const auto paths =
            of_points() ? paths_of_points(step(), shape, iters, launch) : replayed(step(), shape, iters, launch);
        const auto n = static_cast<double>(paths.size());
        EXPECT_EQ(column(0), paths.size());
        EXPECT_EQ(column(1), 0u);
        const auto positive =
            std::count_if(paths.begin(), paths.end(), [](const auto& path) { return path.payoff > 0; });
        EXPECT_NEAR(static_cast<double>(column(2)), static_cast<double>(positive), 1);

        const auto& statistics = bench::means_of(*step().estimand).statistics;
        const double unit = std::pow(0.5, asian::bits);
        for (std::size_t i = 0; i < statistics.size(); i++) {
            const std::string name = statistics[i].name;
            double exact = 0;
            for (const auto& path : paths) {
                exact += name == "payoff"     ? path.payoff
                         : name == "excess"   ? path.excess
                         : name.back() == 'a' ? path.geo_a
                                              : path.geo_b;
            }
            const double sum = (static_cast<double>(column(3 + i)) - n * (1 << 22)) * unit;
            // Arithmetic in float, and the rounding to the grid.
            const double known = i == 0 ? bench::means_of(*step().estimand).bias.within : statistics[i].mean.within;
            EXPECT_NEAR(sum, exact, n * std::max(2e-5, 2 * known) + 5 * std::sqrt(n / 12) * unit)
                << name << " of " << n << " paths";
        }
    }
};

TEST_P(AsianSteps, PublishWhatTheirWordsGiveInDoublePrecision) {
    for (const std::uint64_t launch : {0, 1}) expect_sums({2, 64}, 3, launch);
    expect_sums({3, 96}, 1, 5);
}

INSTANTIATE_TEST_SUITE_P(Asian, AsianSteps, testing::ValuesIn(steps_with_known_words()),
                         [](const auto& info) { return std::string(info.param->name); });

/// All steps, to run as programs.
class AsianPrograms : public GpuTest, public testing::WithParamInterface<const Step*> {};

TEST_P(AsianPrograms, PassTheirVerdictInOneLaunch) {
    const auto run = run_program(*GetParam(), {"--profile"});
    EXPECT_EQ(run.exit_code, bench::exit_done) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Asian, AsianPrograms, testing::ValuesIn(asian::versions()),
                         [](const auto& info) { return std::string(info.param->name); });

class AsianPayoffs : public GpuTest {};

TEST_F(AsianPayoffs, InFloatAreThoseInDoubleOnAverage) {
    for (const auto path : {FloatPath::prices, FloatPath::logarithms, FloatPath::bridge}) {
        for (const unsigned steps : {16u, 64u, 256u}) {
            const PayoffError error = payoff_error(path, steps);
            const std::string where =
                "path " + std::to_string(static_cast<int>(path)) + ", " + std::to_string(steps) + " steps";
            EXPECT_LE(error.largest, 2e-3) << where;
            const auto allowed = path == FloatPath::prices ? asian::error_of_products(steps) : asian::error_of_sums;
            EXPECT_LE(std::fabs(error.mean) + 2 * error.sd, allowed.payoff) << where << ": " << error.mean;
        }
    }
}

class FaultsOfAsian : public GpuTest {};

TEST_F(FaultsOfAsian, AreFound) {
    for (const auto fault : {AsianFault::lost_maximum, AsianFault::swapped_drifts, AsianFault::idle_warp,
                             AsianFault::repeated_numbers, AsianFault::infinite_normal}) {
        for (const char* mode : {"--profile", "--launches=3"}) {
            const auto run = run_program(asian_with(fault), {mode, "--blocks", "256", "--iters", "32"});
            EXPECT_EQ(run.exit_code, bench::exit_verdict) << static_cast<int>(fault) << " " << mode << ": " << run.err;
            EXPECT_EQ(run.out, "") << static_cast<int>(fault) << " " << mode;
            EXPECT_NE(run.err, "");
        }
    }
}

TEST_F(FaultsOfAsian, TooManyPointsAreRefused) {
    const Step& quasi_random = **std::find_if(asian::versions().begin(), asian::versions().end(),
                                              [](const Step* step) { return step->name == std::string("a7"); });
    const auto run = run_program(quasi_random, {"--blocks", "32768", "--iters", "256"});
    EXPECT_EQ(run.exit_code, bench::exit_usage) << run.err;
    EXPECT_NE(run.err.find("points of the set"), std::string::npos) << run.err;
}

}  // namespace
