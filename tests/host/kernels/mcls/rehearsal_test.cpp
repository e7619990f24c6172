// The launch that is rehearsed: every block that walks in a launch of the run walks in it too.
#include "kernels/mcls/replay/rehearsal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/estimands/solution/solution.hpp"
#include "bench/options/own_options.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/replay/replays.hpp"

namespace {

using bench::Shape;
using mcls::Walks;

Walks walks(std::uint32_t n, std::uint64_t histories, std::uint64_t of_entry, double length) {
    Walks all = {};
    all.n = n;
    all.histories = histories;
    all.histories_of_entry = of_entry;
    all.limits.steps = 10'000;
    all.length = length;
    all.loops_from = 2;
    return all;
}

/// The blocks that have a history, where steps hand them out by their numbers, thread after thread, and then where each block
/// has an equal part.
std::vector<bool> walking_blocks(std::uint64_t histories, Shape shape) {
    std::vector<bool> walk(2 * std::size_t{shape.blocks});
    for (std::uint64_t h = 0; h < histories; h += shape.threads) walk[h / shape.threads % shape.blocks] = true;
    for (unsigned block = 0; block < shape.blocks; block++) {
        walk[shape.blocks + block] = histories / shape.blocks + (block < histories % shape.blocks ? 1 : 0) > 0;
    }
    return walk;
}

constexpr Shape resident_grids[] = {{2112, 128}, {528, 512}, {264, 1024}, {132, 1024}, {4096, 256}};

constexpr double many = 0x1p25;  // transitions

TEST(SmallerWalks, AreOnAllBlocksOfTheRun) {
    for (const Shape shape : resident_grids) {
        for (const std::uint64_t histories : {1'000, 200'000, 1 << 20, 50'000'000}) {
            SCOPED_TRACE(testing::Message() << histories << " on " << shape.blocks << " of " << shape.threads);
            for (const std::uint64_t of_entry : {std::uint64_t{0}, histories / 1'000}) {
                const Walks few = smaller_of(walks(1'000, histories, of_entry, 800), shape, 2 * many);
                EXPECT_EQ(walking_blocks(few.histories, shape), walking_blocks(histories, shape));
            }
        }
    }
}

TEST(SmallerWalks, RunAllLoopsOfTheKernel) {
    for (const unsigned loops_from : {2, 4}) {
        for (const Shape shape : {Shape{264, 1024}, {528, 512}}) {
            Walks all = walks(900, 50'000'000, 0, 800);
            all.loops_from = loops_from;
            const Walks few = smaller_of(all, shape, many);
            EXPECT_GE(few.histories, loops_from * total_threads(shape));
            EXPECT_NE(few.histories / shape.blocks % 1024, 0) << "what remains after whole sections of a share";
            EXPECT_GE(few.limits.steps, 16);
            EXPECT_LE(static_cast<double>(few.histories * few.limits.steps), many);
        }
    }
}

TEST(SmallerWalks, HaveAboutSoManyTransitions) {
    const Walks all = walks(900, 50'000'000, 0, 800);
    for (const double transitions : {1e6, 1e8, 1e9, 1e10}) {
        const Walks few = smaller_of(all, {132, 1024}, transitions);
        const double each = std::min<double>(few.limits.steps, all.length);
        EXPECT_NEAR(static_cast<double>(few.histories) * each, transitions, 0.07 * transitions);
    }
    EXPECT_EQ(smaller_of(all, {132, 1024}, 1e9).limits.steps, all.limits.steps) << "fewer of them, but whole ones";
    const Walks whole = smaller_of(all, {132, 1024}, 1e12);
    EXPECT_EQ(whole.histories, all.histories) << "no more than a launch of the run has";
    EXPECT_EQ(whole.limits.steps, all.limits.steps);
    EXPECT_EQ(smaller_of(walks(900, 1'000, 0, 500), {264, 1024}, many).histories, 1'000);
}

TEST(SmallerWalks, AreNoFewerThanCanBeJudged) {
    const Walks few = smaller_of(walks(900, 50'000'000, 0, 800), {264, 1024}, 1e4);
    EXPECT_EQ(few.histories, 1'024);
    EXPECT_EQ(few.limits.steps, 9);
}

TEST(SmallerWalks, KeepTheStepsThatTheyNeed) {
    Walks slots = walks(900, 50'000'000, 0, 500);
    slots.least_steps = 44;
    EXPECT_EQ(smaller_of(slots, {264, 1024}, 1e4).limits.steps, 44);
    Walks endless = slots;  // absorption alone ends them
    endless.least_steps = endless.limits.steps = 4'000'000'000;
    const Walks few = smaller_of(endless, {264, 1024}, 1e7);
    EXPECT_EQ(few.limits.steps, endless.limits.steps);
    EXPECT_EQ(few.histories, 20'000);
}

TEST(SmallerWalks, OfForwardHistoriesAreAsManyForEachEntry) {
    const Walks some = smaller_of(walks(900, 900'000, 1'000, 100), {1, 32}, 1e6);
    EXPECT_EQ(some.histories, 10'800);
    EXPECT_EQ(some.histories_of_entry, 12);
    const Walks one_each = smaller_of(walks(1'000'000, 1'000'000, 1, 100), {1, 32}, 1e6);
    EXPECT_EQ(one_each.histories, 1'000'000);
    EXPECT_EQ(one_each.histories_of_entry, 1);
    EXPECT_EQ(one_each.limits.steps, 1);
}

TEST(SmallerWalks, OfCountedWalkersReachTheEndOrRunAllLoops) {
    Walks counted = walks(900, 31'000'000'000, 0, 143);
    counted.loops_from = 1'150;
    counted.places = [](std::uint32_t n, Shape shape) { return std::uint64_t{n} * shape.blocks; };
    for (const Shape shape : {Shape{132, 1024}, {264, 512}}) {
        for (const double transitions : {1e4, many, 143e6}) {
            const Walks few = smaller_of(counted, shape, transitions);
            EXPECT_EQ(few.limits.steps, counted.limits.steps);
            EXPECT_NEAR(static_cast<double>(few.histories), std::max(1'024.0, transitions / 143), 1);
        }
        const Walks many_at_once = smaller_of(counted, shape, counted.least_rehearsed_work(shape));
        EXPECT_GE(many_at_once.histories, std::uint64_t{1'150} * counted.n * shape.blocks);
        EXPECT_GE(many_at_once.limits.steps, 32u);
    }
    EXPECT_EQ(smaller_of(counted, {132, 1024}, 1e13).limits.steps, counted.limits.steps);
    EXPECT_EQ(walks(900, 1'800, 0, 143).least_rehearsed_work({132, 1024}), 0);
}

mcls::Design on_paths() {
    return {.sampling = mcls::Sampling::paths,
            .table = mcls::Table::own,
            .generator = "Philox4x32-10",
            .soundness = bench::Soundness::sound,
            .histories = 50'000'000,
            .stratified = true,
            .bits_of_first = 27,
            .replay = mcls::replay<mcls::SlotPaths>};
}

bench::LaunchSpec spec_on(Shape shape) { return {.seed = 77, .shape = shape, .iters = 1}; }

bench::Step settled(const mcls::Design& design, const bench::OwnValues& values) {
    bench::Step step = {};
    mcls::options_of(design)->settle(values, step);
    return step;
}

TEST(Rehearsal, FindsATallyThatIsOff) {
    const bench::Step step = settled(on_paths(), {{"histories", "3000"}});
    const bench::LaunchSpec spec = spec_on({4096, 256});
    const auto replay = step.estimand->replay(spec, step.own.problem.get(), 1);
    ASSERT_TRUE(replay);
    EXPECT_EQ(replay->parts, 1);
    bench::Launch launch = {};
    launch.seed = spec.seed;
    launch.index = bench::rehearsed_launch;
    launch.problem = step.own.problem.get();  // it has no more histories than that
    auto counts = mcls::replay<mcls::SlotPaths>(launch).counts;
    EXPECT_EQ(bench::difference(*replay, bench::rehearsed_launch, 0, counts), "");
    counts[mcls::first_tally + 5]++;
    const std::string found = bench::difference(*replay, bench::rehearsed_launch, 0, counts);
    EXPECT_EQ(found.find("3000 histories are not what the host replays: the tally of entry 5 is "), 0) << found;
}

TEST(Rehearsal, IsOfAnyLaunchAndSize) {
    const bench::Step step = settled(on_paths(), {{"histories", "30000"}});
    const bench::LaunchSpec spec = spec_on({2, 1024});
    const bench::Estimand& estimand = *step.estimand;
    const auto& what = dynamic_cast<const bench::Solution&>(estimand).what();
    for (const double transitions : {1e5, 1e6, 1e12}) {
        const auto few = what.smaller(spec, *step.own.problem, transitions);
        for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{7}, (std::uint64_t{1} << 32) - 1}) {
            bench::Launch launch = {};
            launch.seed = spec.seed;
            launch.index = index;
            launch.problem = few.get();
            const std::vector<bench::Count> counts = mcls::replay<mcls::SlotPaths>(launch).counts;
            EXPECT_EQ(what.replay(spec, *few, index, counts), "");
            EXPECT_NE(what.replay(spec, *few, index ^ 1, counts), "") << "another launch";
        }
    }
}

// A replay in vectors and one history by history; tables made once and made each time.
TEST(Rehearsal, OfCountedPathsIsThatOfSingleHistories) {
    mcls::Design design = on_paths();
    design.sampling = mcls::Sampling::absorbing;
    design.for_steps = "v14";
    design.replay = mcls::replay<mcls::QuarterPaths>;
    const bench::Step step = settled(design, {{"histories", "30000"}});
    bench::Launch launch = {};
    launch.seed = 77;
    launch.problem = step.own.problem.get();
    for (launch.index = 0; launch.index < 3; launch.index++) {
        EXPECT_EQ(mcls::replay<mcls::QuarterPaths>(launch).counts,
                  mcls::replay_quarter_paths_one_by_one(launch).counts);
    }
}

TEST(Rehearsal, NeedsAReplay) {
    mcls::Design design = on_paths();
    design.replay = nullptr;
    const bench::Step step = settled(design, {});
    EXPECT_FALSE(step.estimand->replay(spec_on({2, 1024}), step.own.problem.get(), 1));
}

}  // namespace
