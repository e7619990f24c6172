// The launch that is rehearsed: every block that walks in a launch of the run walks in it too.
#include "kernels/mcls/replay/rehearsal.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "kernels/mcls/replay/replays.hpp"

namespace {

using bench::Shape;
using mcls::Walks;

Walks walks(std::uint32_t n, std::uint64_t histories, std::uint64_t of_entry, std::uint32_t steps) {
    Walks all = {};
    all.n = n;
    all.histories = histories;
    all.histories_of_entry = of_entry;
    all.limits.steps = steps;
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

TEST(RehearsedWalks, AreOnAllBlocksOfTheRun) {
    for (const Shape shape : resident_grids) {
        for (const std::uint64_t histories : {1'000, 200'000, 1 << 20, 50'000'000}) {
            SCOPED_TRACE(testing::Message() << histories << " on " << shape.blocks << " of " << shape.threads);
            for (const std::uint64_t of_entry : {std::uint64_t{0}, histories / 1'000}) {
                const Walks few = few_of(walks(1'000, histories, of_entry, 10'000), shape);
                EXPECT_EQ(walking_blocks(few.histories, shape), walking_blocks(histories, shape));
            }
        }
    }
}

TEST(RehearsedWalks, AreTwoForEachThread) {
    for (const Shape shape : resident_grids) {
        EXPECT_EQ(few_of(walks(900, 50'000'000, 0, 500), shape).histories, 2 * total_threads(shape));
    }
    EXPECT_EQ(few_of(walks(900, 10'000'000, 0, 500), {1, 32}).histories, 1'024) << "but not fewer than this";
    EXPECT_EQ(few_of(walks(900, 1'000, 0, 500), {264, 1024}).histories, 1'000)
        << "no more than a launch of the run has";
}

TEST(RehearsedWalks, AreCutTo33MillionTransitions) {
    EXPECT_EQ(few_of(walks(900, 10'000'000, 0, 500), {1, 32}).limits.steps, 500);
    EXPECT_EQ(few_of(walks(900, 10'000'000, 0, 4'000'000'000), {1, 32}).limits.steps, 1 << 15);
    EXPECT_EQ(few_of(walks(900, 1 << 20, 0, 500), {4096, 256}).limits.steps, 32);
    Walks slots = walks(900, 50'000'000, 0, 500);
    slots.least_steps = 44;
    EXPECT_EQ(few_of(slots, {4096, 256}).limits.steps, 44);
}

TEST(RehearsedWalks, OfForwardHistoriesAreAsManyForEachEntry) {
    const Walks two_each = few_of(walks(900, 900'000, 1'000, 10'000), {1, 32});
    EXPECT_EQ(two_each.histories, 1'800);
    EXPECT_EQ(two_each.histories_of_entry, 2);
    const Walks one_each = few_of(walks(100'000'000, 100'000'000, 1, 10'000), {1, 32});
    EXPECT_EQ(one_each.histories, 100'000'000);
    EXPECT_EQ(one_each.histories_of_entry, 1);
    EXPECT_EQ(one_each.limits.steps, 1);
}

mcls::Design on_paths() {
    return {.sampling = mcls::Sampling::paths,
            .table = mcls::Table::own,
            .generator = "Philox4x32-10",
            .soundness = bench::Soundness::sound,
            .histories = 50'000'000,
            .stratified = true,
            .bits_of_first = 27,
            .replay = mcls::replay_paths};
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
    const auto rehearsal = step.estimand->rehearsal(spec, step.own.problem.get());
    ASSERT_TRUE(rehearsal);
    EXPECT_EQ(rehearsal->parts, 1);
    bench::Launch launch = {};
    launch.seed = spec.seed;
    launch.index = bench::rehearsed_launch;
    launch.problem = rehearsal->problem.get();
    auto counts = mcls::replay_paths(launch).counts;
    EXPECT_EQ(rehearsal->difference(0, counts), "");
    counts[mcls::first_tally + 5]++;
    const std::string found = rehearsal->difference(0, counts);
    EXPECT_EQ(found.find("a launch of 3000 histories is not what the host replays: the tally of entry 5 is "), 0)
        << found;
}

TEST(Rehearsal, WalksPathsOnTheLargestGrids) {
    const bench::Step step = settled(on_paths(), {});
    const auto rehearsal = step.estimand->rehearsal(spec_on({4096, 256}), step.own.problem.get());
    bench::Launch launch = {};
    launch.problem = rehearsal->problem.get();
    EXPECT_EQ(mcls::replay_paths(launch).counts[mcls::histories_count], 1 << 21);
}

TEST(Rehearsal, NeedsAReplay) {
    mcls::Design design = on_paths();
    design.replay = nullptr;
    const bench::Step step = settled(design, {});
    EXPECT_FALSE(step.estimand->rehearsal(spec_on({2, 1024}), step.own.problem.get()));
}

}  // namespace
