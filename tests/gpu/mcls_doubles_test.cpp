// The steps with tables in double precision publish what the replay of their threads gives: the same transitions, and
// tallies within the rounding of their sums.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/mcls/problem/double_replay.hpp"
#include "kernels/mcls/problem/double_tables.hpp"
#include "kernels/mcls/problem/splitting.hpp"
#include "kernels/mcls/problem/walks.hpp"
#include "kernels/mcls/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using bench::Shape;
using bench::Step;
using mcls::DoubleLaunch;
using mcls::DoubleOutcome;
using mcls::Limits;
using mcls::Method;
using mcls::Seeding;
using mcls::Walks;

constexpr std::uint64_t seed = 1234;

/// How the threads of a step walk.
struct Kind {
    Method method = Method::adjoint;
    Seeding seeding = Seeding::own_seeds;
    bool sorted = false;
    bool by_entries = false;
};

/// None for the steps with other tables.
std::optional<Kind> kind_of(const std::string& step) {
    const std::string idea = step.substr(0, step.find('_'));
    const std::map<std::string, Kind> kinds = {{"v1", {.seeding = Seeding::subsequences}},
                                               {"v2", {}},
                                               {"v3", {}},
                                               {"v4", {}},
                                               {"v5", {}},
                                               {"v6", {.sorted = true}},
                                               {"v7", {.method = Method::forward}},
                                               {"v8", {.method = Method::forward, .by_entries = true}}};
    if (step == "v2_consecutive_seeds") return Kind{.seeding = Seeding::consecutive_seeds};
    if (step == "v2_random_seeds") return Kind{.seeding = Seeding::random_seeds};
    const auto found = kinds.find(idea);
    return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const Walks> walks_on(const std::string& system, Method method, const Limits& limits) {
    const mcls::Splitting splitting = jacobi(mcls::built_in(system));
    const mcls::Sparse b = method == Method::adjoint ? transposed(splitting.h) : splitting.h;
    auto walks = std::make_shared<Walks>();
    walks->n = b.n;
    walks->limits = limits;
    walks->histories_of_entry = 1 + 2'000 / b.n;
    walks->histories = method == Method::adjoint ? 2'500 : walks->histories_of_entry * b.n;
    walks->b = splitting.b;
    walks->first = b.first;
    walks->column = b.column;
    walks->value = b.value;
    return walks;
}

DoubleOutcome replayed(const Kind& kind, const Walks& walks, Shape shape, std::uint64_t index) {
    const mcls::CsrTable rows = mcls::csr_table({walks.n, walks.first, walks.column, walks.value});
    const DoubleLaunch launch = {kind.seeding, seed, index, bench::total_threads(shape), walks.histories};
    if (kind.method == Method::forward) {
        const mcls::ForwardTables<mcls::CsrRows> tables = {walks.b.data(), rows.view(), walks.limits,
                                                           walks.histories_of_entry};
        return kind.by_entries ? replay_by_entries(tables, launch) : replay(tables, launch);
    }
    const mcls::DoubleStartTable starts = mcls::double_start_table(walks.b);
    const mcls::AdjointTables<mcls::CsrRows> tables = {starts.view(), rows.view(), walks.limits};
    return kind.sorted ? replay_sorted(tables, launch) : replay(tables, launch);
}

class EveryStepInDoubles : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    void expect_replay(const std::string& system, const Limits& limits, Shape shape, std::uint64_t index) const {
        SCOPED_TRACE(system);
        const Kind kind = *kind_of(GetParam()->name);
        const auto walks = walks_on(system, kind.method, limits);
        Step step = *GetParam();
        step.problem = walks;
        step.counts = [n = mcls::first_tally + walks->n](Shape) { return n; };
        const std::vector<bench::Count> counts = published(step, shape, 1, seed, index);
        const DoubleOutcome expected = replayed(kind, *walks, shape, index);
        EXPECT_EQ(counts[mcls::transitions_count], expected.transitions);
        EXPECT_EQ(counts[mcls::histories_count], expected.histories);
        for (std::size_t j = 0; j < expected.tallies.size(); j++) {
            const auto& tally = expected.tallies[j];
            ASSERT_LE(std::abs(std::bit_cast<double>(counts[mcls::first_tally + j]) - tally.sum), tally.rounding())
                << "entry " << j;
        }
    }
};

TEST_P(EveryStepInDoubles, PublishesWhatItsReplayGives) {
    for (const Shape shape : {Shape{1, 32}, {7, 96}, {16, 256}}) {
        expect_replay("tiny4", {10, 0}, shape, 0);
        expect_replay("lap2d", {10'000, 1e-6}, shape, 7);
    }
    expect_replay("sp1", {200, 1e-9}, {16, 128}, 0);
}

std::vector<const Step*> steps_in_doubles() {
    std::vector<const Step*> steps;
    for (const auto& all : {mcls::versions(), mcls::ablations()}) {
        for (const Step* step : all) {
            if (kind_of(step->name)) steps.push_back(step);
        }
    }
    return steps;
}

std::string name_of(const testing::TestParamInfo<const Step*>& info) { return info.param->name; }

INSTANTIATE_TEST_SUITE_P(Mcls, EveryStepInDoubles, testing::ValuesIn(steps_in_doubles()), name_of);

}  // namespace
