// Every step publishes what the host replays, on any grid and on systems of all kinds: the same counts and, of tallies in double
// precision, the same sums but for the rounding of another order.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "bench/workers/gpu/device.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/rehearsed.hpp"

namespace {

using bench::Shape;
using bench::Step;

using Row = std::vector<std::pair<int, int>>;  // entries by their distance from the diagonal

/// A system of n states whose rows are alike.
std::string file_of(const std::string& name, int n, const Row& row) {
    std::size_t entries = 0;
    for (const auto& [distance, value] : row) entries += static_cast<std::size_t>(n - std::abs(distance));
    const std::string path = testing::TempDir() + "mcls_" + name + ".mtx";
    std::ofstream file(path);
    file << "%%MatrixMarket matrix coordinate real general\n" << n << ' ' << n << ' ' << entries << '\n';
    for (int i = 1; i <= n; i++) {
        for (const auto& [distance, value] : row) {
            const int j = i + distance;
            if (j >= 1 && j <= n) file << i << ' ' << j << ' ' << value << '\n';
        }
    }
    return path;
}

/// More entries than shared memory has tallies, and histories that soon leave the entries around their start.
Row far_row() { return {{0, 8}, {1, -2}, {-1, 1}, {100, 1}, {-100, -1}, {15'000, 1}, {-15'000, 1}}; }

/// Rows with 60 entries off the diagonal, of different sizes and signs.
Row long_row() {
    Row row = {{0, 200}};
    for (int distance = 1; distance <= 30; distance++) {
        row.emplace_back(distance, distance % 5 + 1);
        row.emplace_back(-distance, -(distance % 3 + 1));
    }
    return row;
}

bench::OwnValues values_on(const std::string& system, const std::string& step) {
    const auto file = [&](int n, const Row& row) { return file_of(system + "_" + step, n, row); };
    if (system == "short") return {{"system", "lap2d"}, {"steps", "89"}};  // histories that the limit of steps ends
    if (system == "far") return {{"system", file(60'000, far_row())}, {"rhs", "sine"}};
    if (system == "long") return {{"system", file(500, long_row())}, {"rhs", "sine"}};
    return {{"system", system}};
}

bench::OwnValues values_for(const std::string& system, const std::string& step) {
    bench::OwnValues values = values_on(system, step);
    if (step == "v20") values.emplace("sweeps", "3");  // more of them solve most of these systems
    if (step == "v23" || step == "v24")
        values.emplace("histories", "10000000");  // its own are more than one block counts
    return values;
}

/// The systems that a step is tested with, of those that it accepts.
std::vector<std::string> systems_of(const Step& step) {
    const int number = std::stoi(step.name + 1);  // of "v3_plain", too
    if (number == 23) return {"lap2d", "short"};
    if (number == 24) return {"tiny4", "lap2d", "short", "far"};
    if (number == 16 || number > 20) return {"lap2d"};
    std::vector<std::string> systems = {"tiny4", "lap2d", "short"};
    if (number != 18) systems.emplace_back("long");
    const bool short_rows = number == 19 || std::string(step.name) == "v20_short_rows";  // of up to 32,767 states
    if (number > 8 && !short_rows) systems.emplace_back("far");
    return systems;
}

class EveryStep : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (!IsSkipped()) skip_without_memory_for(settled_with({}));
    }

    static Step settled_with(const bench::OwnValues& values) {
        Step step = *GetParam();
        bench::settle_own(values, step);
        return step;
    }

    static void expect_replay(const Step& step, const std::vector<Shape>& shapes) {
        for (const Shape shape : shapes) {
            SCOPED_TRACE(testing::Message() << shape.blocks << " blocks of " << shape.threads);
            bench::resolve_shape(step, shape.blocks, shape.threads, 0);  // allows the shared memory
            const auto done = rehearsed(step, bench::spec_of(step, 0xdeadbeefcafef00d, shape, 1));
            EXPECT_EQ(done ? done->brief.parts : 0, 1u);
        }
    }
};

TEST_P(EveryStep, PublishesWhatTheHostReplays) {
    const unsigned threads = GetParam()->default_threads;
    for (const std::string& system : systems_of(*GetParam())) {
        SCOPED_TRACE(system);
        expect_replay(settled_with(values_for(system, GetParam()->name)), {{1, 32}, {7, 96}, {3, threads}});
    }
}

TEST_P(EveryStep, WalksFewerHistoriesThanThreads) {
    // As many for each entry of lap2d
    expect_replay(settled_with({{"histories", "1800"}}), {{2'000, 32}});
}

TEST_P(EveryStep, WalksThousandsOfHistoriesInABlock) {
    const unsigned threads = GetParam()->default_threads;
    const Step step = settled_with({{"histories", "5400"}});
    bench::resolve_shape(step, 1, threads, 0);
    bench::Launch launch = {};
    launch.shape = {1, threads};
    launch.seed = 0xdeadbeefcafef00d;
    launch.index = 7;
    launch.problem = step.own.problem.get();
    EXPECT_EQ(difference(mcls::walks_of(launch.problem).replay(launch),
                         published(step, launch.shape, 1, launch.seed, launch.index)),
              "");
}

TEST_P(EveryStep, RefusesMoreHistoriesThanABlockCountsBeforeItRuns) {
    const auto run = run_program(*GetParam(), {"--blocks", "1", "--histories", "900000000000", "--profile"});
    EXPECT_EQ(run.exit_code, bench::exit_usage);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_NE(run.err.find("--histories: 900,000,000,000 for 1 blocks are more than"), std::string::npos) << run.err;
}

/// Whether histories end by absorption, and need no other limit.
bool absorbs(const Step& step) {
    const int number = std::stoi(step.name + 1);
    return (number >= 13 && number <= 16) || number > 20;
}

/// The error of a solution file relative to x_i = i (n + 1 - i) / 2.
double error_of(const std::string& path, int n) {
    std::ifstream file(path);
    double squares = 0, norm = 0, x = 0;
    for (int i = 1; i <= n; i++) {
        const double exact = 0.5 * i * (n + 1 - i);
        EXPECT_TRUE(file >> x) << path << ", line " << i;
        squares += (x - exact) * (x - exact);
        norm += exact * exact;
    }
    return std::sqrt(squares / norm);
}

// -x_(i-1) + 2 x_i - x_(i+1) = 1: after 10,000 transitions three tenths of x are left out.
TEST_P(EveryStep, GivesNoAnswerWhereHistoriesEndTooEarly) {
    constexpr int n = 200;
    const std::string name = GetParam()->name, x = testing::TempDir() + "mcls_x_" + name;
    const bool few_launches = name == "v24";  // of as many barriers as the longest history has transitions
    const auto run = run_program(
        *GetParam(), {"--system", file_of("slow_" + name, n, {{0, 2}, {1, -1}, {-1, -1}}), "--histories",
                      few_launches ? "50000" : "10000", "--launches", few_launches ? "4" : "20", "--solution", x});
    if (absorbs(*GetParam())) {
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_LT(error_of(x, n), 0.05);
        return;
    }
    EXPECT_EQ(run.exit_code, bench::exit_verdict);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("x may be off by 0."), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_FALSE(std::ifstream(x).good()) << "no file of a solution";
}

std::vector<const Step*> all_steps() {
    std::vector<const Step*> steps = mcls::versions();
    steps.insert(steps.end(), mcls::ablations().begin(), mcls::ablations().end());
    return steps;
}

std::string name_of(const testing::TestParamInfo<const Step*>& info) { return info.param->name; }

INSTANTIATE_TEST_SUITE_P(Mcls, EveryStep, testing::ValuesIn(all_steps()), name_of);

}  // namespace
