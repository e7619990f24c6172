// The steps with tallies in whole numbers publish what the host replays: all counts are equal, on any grid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/cuda/device.hpp"
#include "bench/own_options.hpp"
#include "kernels/mcls/problem/path_tables.hpp"
#include "kernels/mcls/problem/replay.hpp"
#include "kernels/mcls/problem/walks.hpp"
#include "kernels/mcls/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using bench::Count;
using bench::Shape;
using bench::Step;
using mcls::HistoryRange;
using mcls::Outcome;
using mcls::Walks;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;

Outcome of_cdf(const Walks& walks, const HistoryRange& histories) { return replay(walks.adjoint_cdf(), histories); }

Outcome of_alias(const Walks& walks, const HistoryRange& histories) { return replay(walks.adjoint_alias(), histories); }

Outcome of_short_rows(const Walks& walks, const HistoryRange& histories) {
    return replay(walks.adjoint_short_rows(), histories);
}

Outcome of_strata(const Walks& walks, const HistoryRange& histories) {
    const mcls::Stratified<mcls::AliasRows> method = {walks.starts.view(), mcls::Strata::of(walks.histories),
                                                      walks.alias.view(), walks.limits, walks.scale};
    return replay(method, histories);
}

Outcome of_quarter_paths(const Walks& walks, const HistoryRange& histories) {
    const mcls::QuarterPathTable table = quarter_path_table(walks);
    return replay(table.view(walks), histories);
}

template <std::uint32_t length>
Outcome of_slots(const Walks& walks, const HistoryRange& histories) {
    const mcls::SlotTable table = mcls::slot_table(walks, length);
    const auto method = mcls::slot_walks<length>(walks, table.view());
    Outcome outcome = replay(method, histories);
    const std::vector<std::int64_t> cells = std::exchange(outcome.tallies, std::vector<std::int64_t>(walks.n));
    for (std::uint32_t cell = 0; cell < cells.size(); cell++) {
        method.visits_of(cell / table.cells, cell % table.cells, cells[cell],
                         [&](std::uint32_t entry, std::int64_t amount) { outcome.tallies[entry] += amount; });
    }
    return outcome;
}

Outcome of_paths(const Walks& walks, const HistoryRange& histories) {
    return length_of_paths(walks) == 3 ? of_slots<3>(walks, histories) : of_slots<2>(walks, histories);
}

/// A step, and how the host replays it.
struct Replayed {
    const char* name;
    Outcome (*replay)(const Walks&, const HistoryRange&);
    std::vector<std::string> systems = {"tiny4", "lap2d", "short", "far"};
};

const std::vector<Replayed>& replayed_steps() {
    const std::vector<std::string> and_sp1 = {"tiny4", "lap2d", "short", "far", "sp1"};
    static const std::vector<Replayed> steps = {{"v9", of_cdf, and_sp1},
                                                {"v10", of_alias, and_sp1},
                                                {"v11", of_alias, and_sp1},
                                                {"v12", of_alias, and_sp1},
                                                {"v13", of_alias},
                                                {"v14", of_strata},
                                                {"v15", of_strata},
                                                {"v16", of_quarter_paths, {"lap2d"}},
                                                {"v17", of_slots<1>},
                                                {"v18", of_paths},
                                                {"v19", of_short_rows, {"tiny4", "lap2d", "short", "sp1"}}};
    return steps;
}

const Step& step_of(const Replayed& replayed) {
    for (const Step* step : mcls::versions()) {
        if (step->name == std::string(replayed.name)) return *step;
    }
    throw std::logic_error(replayed.name);
}

/// A system with more entries than shared memory has tallies, whose histories soon leave the entries around their start.
std::string file_of_far_system(const std::string& test) {
    constexpr int n = 60'000;
    const std::vector<std::pair<int, int>> row = {{0, 8},     {1, -2},     {-1, 1},     {100, 1},
                                                  {-100, -1}, {15'000, 1}, {-15'000, 1}};
    std::size_t entries = 0;
    for (const auto& [distance, value] : row) entries += static_cast<std::size_t>(n - std::abs(distance));
    const std::string path = testing::TempDir() + "mcls_" + test + ".mtx";
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

bench::OwnValues values_for(const std::string& system, const std::string& test) {
    bench::OwnValues values = {{"system", system}, {"histories", "1500"}};
    if (system == "short") {  // histories that the limit of steps ends
        values["system"] = "lap2d";
        values["steps"] = "100";
    }
    if (system == "far") {
        values["system"] = file_of_far_system(test);
        values["rhs"] = "sine";
    }
    return values;
}

class EveryStepInWholeNumbers : public GpuTest, public testing::WithParamInterface<Replayed> {
 protected:
    static void expect_counts(const Step& step, Shape shape, std::uint64_t index, const Outcome& expected) {
        SCOPED_TRACE(testing::Message() << shape.blocks << " blocks of " << shape.threads);
        bench::resolve_shape(step, shape.blocks, shape.threads, 0);  // allows the shared memory
        const std::vector<Count> counts = published(step, shape, 1, seed, index);
        ASSERT_EQ(counts.size(), mcls::first_tally + expected.tallies.size());
        EXPECT_EQ(counts[mcls::transitions_count], expected.transitions);
        EXPECT_EQ(counts[mcls::histories_count], expected.histories);
        for (std::size_t j = 0; j < expected.tallies.size(); j++) {
            ASSERT_EQ(static_cast<std::int64_t>(counts[mcls::first_tally + j]), expected.tallies[j]) << "entry " << j;
        }
    }

    void expect_replay(const bench::OwnValues& values) const {
        const Step step = bench::settled(step_of(GetParam()), values).step;
        const Walks& walks = mcls::walks_of(step.problem.get());
        constexpr std::uint32_t index = 7;
        const Outcome expected = GetParam().replay(walks, {seed, index, 0, walks.histories});
        ASSERT_EQ(expected.histories, walks.histories);
        const Shape more_blocks_than_histories = {2'000, 32};
        for (const Shape shape : {Shape{1, 32}, {7, 96}, {3, step.default_threads}, more_blocks_than_histories}) {
            expect_counts(step, shape, index, expected);
        }
    }
};

TEST_P(EveryStepInWholeNumbers, PublishesWhatTheHostReplays) {
    for (const std::string& system : GetParam().systems) {
        SCOPED_TRACE(system);
        expect_replay(values_for(system, GetParam().name));
    }
}

std::string name_of(const testing::TestParamInfo<Replayed>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Mcls, EveryStepInWholeNumbers, testing::ValuesIn(replayed_steps()), name_of);

}  // namespace
