// What the options make of a step, for designs that the program on the CPU does not have. Launches are replayed.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "bench/tally.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/tables/methods.hpp"
#include "kernels/mcls/tables/path_tables.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Count;
using mcls::Adjoint, mcls::Forward;
using mcls::AliasRows, mcls::CdfRows, mcls::ShortRows;
using mcls::Design;
using mcls::Method;
using mcls::Outcome;
using mcls::Sampling;
using mcls::Table;
using mcls::Walks;

constexpr std::uint64_t seed = 77;

Design design(Method method, Sampling sampling, Table table) {
    return {.method = method,
            .sampling = sampling,
            .table = table,
            .generator = "Philox4x32-10",
            .soundness = bench::Soundness::sound,
            .histories = 10'000,
            .instead = "v12"};
}

bench::Step settled(const Design& design, const bench::OwnValues& values) {
    bench::Step step = {};
    mcls::options_of(design)->settle(values, step);
    return step;
}

const Walks& walks_of(const bench::Step& step) { return mcls::walks_of(step.own.problem.get()); }

/// The most steps of a history, as a result says them.
nlohmann::ordered_json steps_in_result(const bench::Step& step) { return step.estimand->problem()["steps"]; }

Outcome outcome_of(const Design& design, const Walks& walks, std::uint32_t launch) {
    const mcls::HistoryRange range = {seed, launch, 0, walks.histories};
    if (design.table == Table::short_rows) return replay(on_host<Adjoint<ShortRows>>(walks), range);
    if (design.method == Method::adjoint) {
        return design.table == Table::cdf ? replay(on_host<Adjoint<CdfRows>>(walks), range)
                                          : replay(on_host<Adjoint<AliasRows>>(walks), range);
    }
    return design.table == Table::cdf ? replay(on_host<Forward<CdfRows>>(walks), range)
                                      : replay(on_host<Forward<AliasRows>>(walks), range);
}

std::vector<Count> published(const Design& design, const bench::Step& step, std::uint32_t launch) {
    if (design.replay) {
        bench::Launch l = {};
        l.seed = seed;
        l.index = launch;
        l.problem = step.own.problem.get();
        return design.replay(l).counts;
    }
    const Outcome outcome = outcome_of(design, walks_of(step), launch);
    std::vector<Count> counts = {outcome.transitions, outcome.histories};
    for (const std::int64_t t : outcome.tallies) counts.push_back(std::bit_cast<Count>(t));
    return counts;
}

/// Launches as this design walks them. Throws VerdictError if they are not as its estimand expects.
void judge_launches(const Design& design, const bench::OwnValues& values) {
    const bench::Step step = settled(design, values);
    bench::Tally tally(*step.estimand, bench::spec_of(step, seed, {1, 1}, 1));
    for (std::uint32_t launch = 0; launch < 3; launch++) {
        tally.add(published(design, step, launch));
    }
    step.estimand->judge(tally);
    const auto verdict = step.estimand->outcome(tally)["verdict"];
    EXPECT_EQ(verdict["functionals"]["of"], 64);
    EXPECT_GT(verdict["groups"]["of"], 0);
}

std::string refusal(const Design& design, const bench::OwnValues& values) {
    try {
        settled(design, values);
    } catch (const bench::UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(Walks, OfEveryDesignPassTheirVerdict) {
    for (const Method method : {Method::adjoint, Method::forward}) {
        for (const Sampling sampling : {Sampling::almost_optimal, Sampling::absorbing}) {
            for (const Table table : {Table::cdf, Table::alias}) {
                SCOPED_TRACE(testing::Message()
                             << static_cast<int>(method) << static_cast<int>(sampling) << static_cast<int>(table));
                EXPECT_NO_THROW(judge_launches(design(method, sampling, table), {{"histories", "10800"}}));
            }
        }
    }
}

TEST(Walks, OnShortRowsPassTheirVerdict) {
    Design short_rows = design(Method::adjoint, Sampling::almost_optimal, Table::short_rows);
    short_rows.bits_of_first = 27;
    EXPECT_NO_THROW(judge_launches(short_rows, {}));
    EXPECT_NO_THROW(judge_launches(short_rows, {{"system", "sp1"}, {"histories", "20000"}}));
    EXPECT_EQ(refusal(short_rows, {{"system", "ad3d"}}),
              "ad3d: short rows first needs at most 32767 states, not 262144; see v12");
}

TEST(Walks, GuidedByAnEstimateHaveAVarianceOnSp1) {
    const Design guided = design(Method::forward, Sampling::importance, Table::alias);
    EXPECT_NO_THROW(judge_launches(guided, {}));
    EXPECT_EQ(refusal(guided, {{"system", "sp1"}}), "");
    EXPECT_EQ(refusal(guided, {{"system", "sp1"}, {"sweeps", "20"}}).substr(0, 39),
              "sp1: second moments not shown finite: m");
}

TEST(Walks, GuidedOnShortRowsPassTheirVerdict) {
    Design guided = design(Method::forward, Sampling::importance, Table::short_rows);
    guided.replay = mcls::replay<mcls::GuidedShortRows>;
    EXPECT_NO_THROW(judge_launches(guided, {}));
    EXPECT_NO_THROW(judge_launches(guided, {{"cutoff", "0.01"}}));
    EXPECT_EQ(refusal(guided, {{"system", "sp1"}}), "");
}

/// Their bias is more than the estimates vary, but no more than the verdict allows for.
TEST(Walks, WhoseCutoffIsFeltPassTheirVerdict) {
    const Design guided = design(Method::forward, Sampling::importance, Table::alias);
    EXPECT_NO_THROW(judge_launches(guided, {{"cutoff", "0.01"}}));
    EXPECT_NO_THROW(judge_launches(guided, {{"system", "tiny4"}, {"sweeps", "5"}, {"cutoff", "0.5"}}));
}

TEST(Walks, GuidedByTheSolutionAreRefused) {
    EXPECT_EQ(refusal(design(Method::forward, Sampling::importance, Table::alias), {{"sweeps", "10000"}}),
              "--sweeps: 10000 sweeps solve the system, so that histories have no variance; use fewer");
}

TEST(Walks, OfAFewTransitionsPassTheirVerdict) {
    for (const Sampling sampling : {Sampling::almost_optimal, Sampling::absorbing}) {
        EXPECT_NO_THROW(
            judge_launches(design(Method::adjoint, sampling, Table::cdf), {{"histories", "5000"}, {"steps", "20"}}));
    }
}

TEST(Walks, AreRefusedThatTheStepCannotWalk) {
    Design counted = design(Method::adjoint, Sampling::absorbing, Table::own);
    counted.check = mcls::MethodOf<mcls::QuarterPaths>::check;
    EXPECT_EQ(refusal(counted, {{"histories", "1000"}}), "");
    EXPECT_EQ(refusal(counted, {{"system", "ad3d"}}),
              "ad3d: counted paths need at most 1023 states, not 262144; see v14");
    counted.for_steps = "v14";
    EXPECT_EQ(refusal(counted, {{"steps", "100"}}), "--steps: histories of this step have no limit; see v14");
    counted.stratified = true;
    EXPECT_EQ(refusal(counted, {{"histories", "2"}}), "");
    EXPECT_NE(refusal(counted, {{"histories", "1"}}), "");
}

TEST(Walks, OnSlotsAreRefusedWithoutAGpuWhereRowsDifferTooMuch) {
    Design slots = design(Method::adjoint, Sampling::equal_slots, Table::own);
    slots.check = mcls::MethodOf<mcls::SlotWalks<1>>::check;
    const std::string line = refusal(slots, {{"system", "sp1"}, {"steps", "100"}, {"infinite-variance", ""}});
    EXPECT_EQ(line.substr(0, 27), "sp1: equal slots need paths");
}

TEST(Walks, OnSlotsSayHowManyTransitionsAHistoryHas) {
    const auto steps_of = [](Sampling sampling, const bench::OwnValues& values) {
        return steps_in_result(settled(design(Method::adjoint, sampling, Table::own), values));
    };
    EXPECT_EQ(steps_of(Sampling::equal_slots, {{"steps", "100"}}),
              89);  // six quads of 15 transitions, less the one that is not visited
    EXPECT_EQ(steps_of(Sampling::paths, {{"steps", "100"}}), 89);  // two quads of 15 paths of three, likewise
    EXPECT_EQ(steps_of(Sampling::almost_optimal, {{"steps", "100"}}), 100);
    EXPECT_EQ(steps_of(Sampling::equal_slots, {}), 9'989);
}

using WalksOfFiles = InAFolder;

// Transitions lead to later unknowns alone, and from the last one nowhere. Slots have no end there: the weight becomes 0.
TEST_F(WalksOfFiles, OnSlotsGoOnWhereAColumnOfHIsEmpty) {
    constexpr int n = 10;
    const std::string path = (folder / "triangular.mtx").string();
    std::ofstream file(path);
    file << "%%MatrixMarket matrix coordinate real general\n" << n << ' ' << n << ' ' << 3 * n - 3 << '\n';
    for (int i = 1; i <= n; i++) {
        file << i << ' ' << i << " 4\n";
        if (i + 1 <= n) file << i + 1 << ' ' << i << " -1\n";
        if (i + 2 <= n) file << i + 2 << ' ' << i << " -1\n";
    }
    file.close();
    Design slots = design(Method::adjoint, Sampling::equal_slots, Table::own);
    slots.stratified = true;
    slots.bits_of_first = 27;
    slots.replay = mcls::replay<mcls::SlotWalks<1>>;
    Design paths = slots;
    paths.sampling = Sampling::paths;
    paths.replay = mcls::replay<mcls::SlotPaths>;
    for (const Design& each : {slots, paths}) {
        SCOPED_TRACE(static_cast<int>(each.sampling));
        const bench::OwnValues values = {{"system", path}, {"steps", "44"}, {"histories", "100000"}};
        EXPECT_EQ(settled(each, values).estimand->work_of_launch({.iters = 1}), 44 * 100'000);
        EXPECT_NO_THROW(judge_launches(each, values));
    }
}

// A Laplacian in one dimension whose unknowns have scales from 1/4 to 4: columns of |H| sum to up to 8.
TEST_F(WalksOfFiles, WithUnequalScalesPassTheirVerdict) {
    constexpr int n = 40;
    const auto scale = [](int i) { return std::ldexp(1.0, i * 7 % 5 - 2); };
    const std::string path = (folder / "scaled.mtx").string();
    std::ofstream file(path);
    file << "%%MatrixMarket matrix coordinate real symmetric\n" << n << ' ' << n << ' ' << 2 * n - 1 << '\n';
    for (int i = 1; i <= n; i++) {
        file << i << ' ' << i << ' ' << 2 * scale(i) * scale(i) << '\n';
        if (i < n) file << i + 1 << ' ' << i << ' ' << -scale(i) * scale(i + 1) << '\n';
    }
    file.close();
    Design slots = design(Method::adjoint, Sampling::equal_slots, Table::own);
    slots.stratified = true;
    slots.bits_of_first = 27;
    slots.replay = mcls::replay<mcls::SlotWalks<1>>;
    for (const Design& each : {design(Method::adjoint, Sampling::almost_optimal, Table::cdf), slots,
                               design(Method::adjoint, Sampling::almost_optimal, Table::short_rows),
                               design(Method::adjoint, Sampling::absorbing, Table::alias)}) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(each.sampling) << static_cast<int>(each.table));
        EXPECT_NO_THROW(judge_launches(each, {{"system", path}}));
    }
}

// A walk on a line of n states, which ends beyond either end, visits state j of them j (n + 1 - j) / n times if it starts
// anywhere: 10.256 times at most for n = 39. A cell has a 16th of that: 2^31 of 3.35 billion histories. A path has a 64th, and 10
// bits less: 2^21 of 13.09 million.
TEST_F(WalksOfFiles, ThatABlockCannotCountAreRefused) {
    constexpr int n = 39;
    const std::string path = (folder / "line.mtx").string();
    std::ofstream file(path);
    file << "%%MatrixMarket matrix coordinate real symmetric\n" << n << ' ' << n << ' ' << 2 * n - 1 << '\n';
    for (int i = 1; i <= n; i++) {
        file << i << ' ' << i << " 2\n";
        if (i < n) file << i + 1 << ' ' << i << " -1\n";
    }
    file.close();
    Design counted = design(Method::adjoint, Sampling::absorbing, Table::own);
    counted.stratified = true;
    counted.check = mcls::MethodOf<mcls::QuarterPaths>::check;
    const auto is_accepted = [&](const char* histories, unsigned blocks) {
        const bench::Step step = settled(counted, {{"system", path}, {"histories", histories}});
        try {
            step.estimand->work_of_launch({.shape = {blocks, 1024}, .iters = 1});
            return true;
        } catch (const bench::UsageError&) {
            return false;
        }
    };
    EXPECT_TRUE(is_accepted("3400000000", 1));
    counted.histories_of_block = mcls::histories_of_cells;
    EXPECT_TRUE(is_accepted("3300000000", 1));
    EXPECT_FALSE(is_accepted("3400000000", 1));
    EXPECT_TRUE(is_accepted("3400000000", 2));
    counted.histories_of_block = mcls::histories_of_paths;
    EXPECT_TRUE(is_accepted("13000000", 1));
    EXPECT_FALSE(is_accepted("13200000", 1));
    EXPECT_TRUE(is_accepted("13200000", 2));
}

TEST(Walks, OfAShareThatABlockCannotCountAreRefused) {
    Design shared = design(Method::adjoint, Sampling::absorbing, Table::alias);
    const auto work_of = [&](const char* histories) {
        return settled(shared, {{"histories", histories}}).estimand->work_of_launch({.shape = {2, 512}, .iters = 1});
    };
    EXPECT_NO_THROW(work_of("8589934592"));  // 2^32 of a block, 2^23 of a thread
    shared.histories_of_block = mcls::histories_of_share;
    EXPECT_THROW(work_of("8589934592"), bench::UsageError);
    EXPECT_NO_THROW(work_of("8589932542"));  // with 1024 threads, each of which takes one too many: 2^32 - 1
}

TEST(Walks, ThatAreAbsorbedHaveNoOtherEnd) {
    const Design absorbing = design(Method::adjoint, Sampling::absorbing, Table::alias);
    const bench::Step step = settled(absorbing, {});
    EXPECT_EQ(walks_of(step).limits.steps, 4294967293u);
    EXPECT_EQ(walks_of(step).limits.cutoff, 0);
    EXPECT_NEAR(static_cast<double>(step.estimand->work_of_launch({.iters = 1})), 142.76 * 10'000, 50);
    EXPECT_TRUE(steps_in_result(step).is_null());
    for (const bench::OwnOption& option : mcls::options_of(absorbing)->list()) EXPECT_NE(option.name, "cutoff");
}

TEST(Walks, AreNotAbsorbedWhereARowExceedsOne) {
    EXPECT_EQ(refusal(design(Method::adjoint, Sampling::absorbing, Table::alias), {{"system", "sp1"}}),
              "sp1: absorption needs every column sum of |H| <= 1: column 847 has 1.0098; see v12");
}

TEST(Walks, OfForwardHistoriesAreAsManyForEachEntry) {
    const Design forward = design(Method::forward, Sampling::almost_optimal, Table::alias);
    const bench::Step step = settled(forward, {{"steps", "10"}});
    EXPECT_EQ(walks_of(step).histories, 10'800);
    EXPECT_EQ(walks_of(step).histories_of_entry, 12);
    EXPECT_EQ(refusal(forward, {{"histories", "1000"}}), "--histories: 1000 are not as many for each of 900 entries");
}

TEST(Walks, OfInfiniteVarianceHaveNoEstimate) {
    const Design forward = design(Method::forward, Sampling::almost_optimal, Table::cdf);
    EXPECT_EQ(refusal(forward, {{"system", "sp1"}}).substr(0, 39), "sp1: second moments not shown finite: m");
    const bench::Step step = settled(forward, {{"system", "sp1"}, {"infinite-variance", ""}});
    EXPECT_EQ(step.estimand->width(), 3);  // no functionals
}

}  // namespace
