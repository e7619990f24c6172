// Replays give the tallies of tests/data/golden_walks.py.
#include "kernels/mcls/replay/replay.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/mcls/system/splitting.hpp"
#include "kernels/mcls/tables/tables.hpp"
#include "tests/host/kernels/mcls/golden_tallies.hpp"
#include "tests/host/test_data.hpp"

namespace {

using mcls::HistoryRange;
using mcls::Limits;
using mcls::Outcome;
using nlohmann::json;

/// A system with its tables.
struct Problem {
    std::vector<double> b;
    mcls::StartTable starts;
    std::variant<mcls::CdfTable, mcls::AliasTable> rows;
};

Problem problem(const std::string& name, const std::string& table, const std::string& method = "adjoint",
                mcls::Sampling sampling = mcls::Sampling::almost_optimal) {
    const mcls::Splitting system = jacobi(mcls::built_in(name));
    const mcls::Sparse matrix = method == "forward" ? system.h : transposed(system.h);
    Problem p = {system.b, mcls::start_table(system.b), {}};
    if (table == "cdf") {
        p.rows = cdf_table(matrix, sampling);
    } else {
        p.rows = alias_table(matrix, sampling);
    }
    return p;
}

/// Calls visit(method) for the adjoint or forward method of a case.
template <class Visit>
auto with_method(const json& c, const Problem& p, Visit visit) {
    const Limits limits = {c.at("steps"), c.at("cutoff")};
    const double scale = std::ldexp(1.0, c.at("bits").get<int>());
    const auto on_rows = [&](const auto& table) {
        const auto rows = table.view();
        return c.at("method") == "forward"
                   ? visit(mcls::Forward<decltype(table.view())>{p.b.data(), c.at("histories_of_entry"), rows, limits,
                                                                 scale})
                   : visit(mcls::Adjoint<decltype(table.view())>{p.starts.view(), rows, limits, scale});
    };
    return std::visit(on_rows, p.rows);
}

/// The adjoint method with 10,000 steps at most.
template <class Table>
auto adjoint(const Problem& p, double cutoff) {
    const auto rows = std::get<Table>(p.rows).view();
    return mcls::Adjoint<decltype(std::get<Table>(p.rows).view())>{p.starts.view(), rows, {10000, cutoff}, 0x1p30};
}

HistoryRange histories_of(const json& c) {
    return {std::stoull(c.at("seed").get<std::string>()), c.at("launch"), c.at("first"), c.at("histories")};
}

/// The first states of the first history. The adjoint method adds to the states that it visits.
std::vector<std::uint32_t> path_of(const json& c, const Problem& p) {
    const HistoryRange h = histories_of(c);
    std::vector<std::uint32_t> states;
    with_method(c, p, [&](const auto& method) {
        return method(mcls::keys_of(h.seed), {h.launch, h.first}, [&](std::uint32_t state, std::int64_t) {
            if (states.size() < c.at("path").size()) {
                states.push_back(state);
            }
        });
    });
    return states;
}

TEST(Replays, GiveTheGoldenTallies) {
    for (const json& c : test_cases("golden_walks.json", "walks")) {
        SCOPED_TRACE(c);
        const auto sampling = c.at("absorbing") ? mcls::Sampling::absorbing : mcls::Sampling::almost_optimal;
        const Problem p = problem(c.at("system"), c.at("table"), c.at("method"), sampling);
        const Outcome outcome = with_method(c, p, [&](const auto& method) { return replay(method, histories_of(c)); });
        EXPECT_EQ(outcome.histories, c.at("histories"));
        EXPECT_EQ(outcome.transitions, c.at("transitions"));
        EXPECT_EQ(outcome.longest, c.at("longest"));
        expect_tallies(outcome.tallies, c);
        if (c.at("method") == "adjoint") {
            EXPECT_EQ(json(path_of(c, p)), c.at("path"));
        }
    }
}

TEST(Replays, OfPartsAddUpToTheWhole) {
    const Problem p = problem("lap2d", "alias");
    const auto method = adjoint<mcls::AliasTable>(p, 1e-9);
    const Outcome whole = replay(method, {7, 3, 1000, 50});
    const Outcome first = replay(method, {7, 3, 1000, 20}), second = replay(method, {7, 3, 1020, 30});
    EXPECT_EQ(first.transitions + second.transitions, whole.transitions);
    for (std::size_t j = 0; j < whole.tallies.size(); j++) {
        EXPECT_EQ(first.tallies[j] + second.tallies[j], whole.tallies[j]);
    }
}

TEST(Replays, DoNotDependOnTheNumberOfThreads) {
    const Problem p = problem("lap2d", "cdf");
    const auto method = adjoint<mcls::CdfTable>(p, 1e-9);
    const int cores = omp_get_max_threads();
    std::vector<Outcome> outcomes;
    for (const int threads : {1, 2, 5}) {
        omp_set_num_threads(threads);
        outcomes.push_back(replay(method, {1234, 0, 0, 100}));
    }
    omp_set_num_threads(cores);
    for (const Outcome& outcome : outcomes) {
        EXPECT_EQ(outcome.tallies, outcomes[0].tallies);
        EXPECT_EQ(outcome.transitions, outcomes[0].transitions);
        EXPECT_EQ(outcome.longest, outcomes[0].longest);
        EXPECT_EQ(outcome.histories, 100u);
    }
}

TEST(Replays, WalkOnWhenAWeightHasVanished) {
    const Problem p = problem("tiny4", "alias");
    EXPECT_EQ(replay(adjoint<mcls::AliasTable>(p, 0), {1234, 0, 0, 10}).transitions, 100000u);
}

TEST(FixedPoint, RoundsToEvenAndSaturates) {
    const std::vector<std::pair<double, std::int64_t>> cases = {{0.5, 0},
                                                                {1.5, 2},
                                                                {-2.5, -2},
                                                                {-0.75, -1},
                                                                {0x1p62, std::int64_t{1} << 62},
                                                                {0x1p63, INT64_MAX},
                                                                {1e300, INT64_MAX},
                                                                {-0x1p63, INT64_MIN},
                                                                {-1e300, INT64_MIN}};
    for (const auto& [value, fixed] : cases) {
        EXPECT_EQ(mcls::to_fixed(value), fixed) << value;
    }
}

}  // namespace
