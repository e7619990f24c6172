// Walks that are counted vertex by vertex: their replay, the law of a step, and the verdict.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "bench/tally.hpp"
#include "bench/workers/checked_worker.hpp"
#include "golden_population.hpp"
#include "kernels/graph/shared/population_replay.hpp"

namespace {

using bench::Count;
using bench::LaunchSpec;
using graph::Population;
using std::vector;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;

LaunchSpec spec_of(std::uint64_t of_seed, unsigned threads) {
    return {.seed = of_seed, .shape = {threads / 32, 32}, .iters = 1, .streams = threads};
}

TEST(Population, IsReplayedAsNumpyWalks) {
    for (const auto& [of_seed, launch, threads, population, published, checksum] : golden_populations()) {
        SCOPED_TRACE(testing::Message() << population.walks << " walks");
        const LaunchSpec spec = spec_of(of_seed, threads);
        EXPECT_EQ(graph::replayed(spec, population, launch), published);
        EXPECT_EQ(graph::difference_from_replay(spec, population, launch, published), "");
        vector<std::uint32_t> walks(population.vertices(),
                                    static_cast<std::uint32_t>(population.walks / population.vertices()));
        for (unsigned step = 0; step < population.steps; step++) {
            walks = graph::pushed(spec, population, launch, step, walks);
        }
        std::uint64_t found = 0;
        for (std::size_t v = 0; v < walks.size(); v++) found += (v + 1) * walks[v];
        EXPECT_EQ(found, checksum);
    }
}

TEST(Population, DiffersWhereAWalkIsElsewhere) {
    const auto golden = golden_populations().front();
    vector<Count> published = golden.published;
    published[graph::visits_count(1, 2)]++;
    const std::string said = graph::difference_from_replay(spec_of(golden.seed, golden.threads), golden.population,
                                                           golden.launch, published);
    EXPECT_EQ(said.find("the walks in quarter 2 after step 3 are 16509, and 16508 in the replay"), 0u) << said;
}

// 200 steps of 255 walks at one vertex. Chi-square of 15 degrees of freedom is outside these limits once in 10^5 and 10^4.
TEST(Population, TakesEachHalfEdgeAsOftenAndLosesNoWalk) {
    constexpr std::uint32_t at = 12345, walks = 255, times = 200;
    const Population population(graph::log2_of_replay, 0, 1);
    const graph::RegularGraph<graph::log2_of_replay> graph(seed);
    vector<std::uint32_t> before(population.vertices()), sums(population.vertices());
    before[at] = walks;
    for (unsigned step = 0; step < times; step++) {
        const auto after = graph::pushed(spec_of(seed, 96), population, 3, step, before);
        for (std::size_t v = 0; v < after.size(); v++) sums[v] += after[v];
    }
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0u), walks * times);
    double chi_squared = 0;
    for (std::uint32_t edge = 0; edge < 16; edge++) {
        const double expected = walks * times / 16.0;
        chi_squared += std::pow(sums[graph.entry(16 * at + edge)] - expected, 2) / expected;
    }
    EXPECT_LT(chi_squared, 50);
    EXPECT_GT(chi_squared, 2.5);
}

/// Vertices, walks and steps of the launch that is replayed for about so many steps of walks on an H200.
vector<std::uint64_t> smaller(std::uint64_t walks, double of_steps) {
    const auto problem = graph::smaller_population(spec_of(seed, 270'336), *graph::population_of_run(walks), of_steps);
    const auto& population = dynamic_cast<const Population&>(*problem);
    return {population.vertices(), population.walks, population.steps};
}

constexpr std::uint64_t all_vertices = 1 << 24, some_vertices = 1 << 16;

TEST(Population, OfAShortReplayHasAsManyWalksAVertex) {
    EXPECT_EQ(smaller(64 * all_vertices, 5e7), (vector<std::uint64_t>{some_vertices, 64 * some_vertices, 11}));
    EXPECT_EQ(smaller(64 * all_vertices, 1), (vector<std::uint64_t>{some_vertices, 64 * some_vertices, 2}));
}

TEST(Population, OfALongerReplayIsAtAllVertices) {
    EXPECT_EQ(smaller(64 * all_vertices, 2e8), (vector<std::uint64_t>{all_vertices, all_vertices, 2}));
    EXPECT_EQ(smaller(64 * all_vertices, 2e9), (vector<std::uint64_t>{all_vertices, all_vertices, 7}));
    EXPECT_EQ(smaller(64 * all_vertices, 1e12), (vector<std::uint64_t>{all_vertices, all_vertices, 80}));
    EXPECT_EQ(smaller(all_vertices, 7e7), (vector<std::uint64_t>{all_vertices, all_vertices, 4}));
}

/// Launches of g2 on a GPU with so many threads, as the host replays them.
class Replaying : public bench::Worker {
 public:
    Replaying(const LaunchSpec& spec, const Population& population) : spec_(spec), population_(population) {}

    bench::Member identity() const override { return {}; }
    void get_ready(unsigned) override {}
    bench::BatchTime run(const bench::Share& share, const bench::CountSink& sink) override {
        sink(graph::replayed(spec_, population_, share.first));
        return {};
    }

 private:
    LaunchSpec spec_;
    const Population& population_;
};

/// Makes no launch of the run.
std::unique_ptr<bench::Worker> replaying(const bench::Step& step, const LaunchSpec& spec) {
    return std::make_unique<Replaying>(spec, dynamic_cast<const Population&>(*step.own.problem));
}

TEST(Population, IsRehearsedAtAllVertices) {
    bench::Step step = {};
    graph::population_options()->settle({}, step);
    LaunchSpec spec = spec_of(seed, 131'072);
    spec.published = graph::counts_of_population(spec.shape);
    spec.work = step.estimand->work_of_launch(spec);
    const auto done = bench::CheckedWorker(step, step, spec, replaying).rehearse();
    EXPECT_EQ(done->brief.vertices, some_vertices);
    EXPECT_EQ(done->brief.work, 8 * 64 * some_vertices);
    EXPECT_EQ(done->full.vertices, all_vertices);
    EXPECT_GE(done->full.work, 2 * all_vertices);
    EXPECT_EQ(done->full.work % all_vertices, 0u);
}

TEST(Population, OfAShortLaunchIsOnFewVerticesAndALongerOneOnAll) {
    for (const std::uint64_t walks : {std::uint64_t{1} << 26, std::uint64_t{1} << 30}) {
        const Population of_run(24, walks, graph::steps);
        for (const unsigned threads : {32'768u, 270'336u}) {
            const LaunchSpec spec = spec_of(seed, threads);
            const auto brief = graph::smaller_population(spec, of_run, 257.0 * threads);
            EXPECT_EQ(brief->vertices(), some_vertices);
            const auto full = graph::smaller_population(spec, of_run, of_run.least_rehearsed_work(spec.shape));
            EXPECT_EQ(full->vertices(), all_vertices);
        }
    }
}

/// What --walks makes of a step, and adds to its name.
std::pair<std::uint64_t, std::string> settled(const std::string& walks) {
    bench::Step step = {};
    const std::string suffix = graph::population_options()->settle({{"walks", walks}}, step);
    EXPECT_STREQ(step.estimand->unit().many, "steps");
    EXPECT_EQ(step.estimand->work_of_launch({.shape = {1, 32}, .iters = 1, .streams = 32}),
              dynamic_cast<const Population&>(*step.own.problem).walks * graph::steps);
    return {dynamic_cast<const Population&>(*step.own.problem).walks, suffix};
}

TEST(Population, HasAsManyWalksAsTheOptionSays) {
    EXPECT_EQ(settled("268435456"), std::pair(std::uint64_t{1} << 28, std::string("_walks268435456")));
    EXPECT_THROW(settled("0"), bench::UsageError);
    EXPECT_THROW(settled("4294967296"), bench::UsageError);
    try {
        settled("16777217");
        FAIL() << "a vertex would have one walk more";
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(), "--walks: 16,777,217 are not as many for each of 16,777,216 vertices");
    }
}

constexpr std::uint64_t few_walks = std::uint64_t{1} << graph::log2_of_replay;

/// What a launch of one walk a vertex publishes.
const vector<Count>& launch_of_few(unsigned launch) {
    static std::map<unsigned, vector<Count>> known;
    auto& counts = known[launch];
    const Population population(graph::log2_of_replay, few_walks, graph::steps);
    if (counts.empty()) counts = graph::replayed(spec_of(seed, 960), population, launch);
    return counts;
}

/// What the verdict says of launches of one walk a vertex; empty if they pass.
template <typename Edit>
std::string verdict_on(unsigned launches, const Edit& edit) {
    const auto estimand = graph::visits_of_population(few_walks);
    LaunchSpec spec = spec_of(seed, 960);
    spec.published = graph::counts_of_population(spec.shape);
    spec.work = estimand->work_of_launch(spec);
    EXPECT_EQ(spec.work, few_walks * graph::steps);
    try {
        bench::Tally tally(*estimand, spec);
        for (unsigned launch = 0; launch < launches; launch++) {
            vector<Count> counts = launch_of_few(launch);
            edit(counts);
            tally.add(counts);
        }
        estimand->judge(tally);
    } catch (const bench::VerdictError& error) {
        return error.what();
    }
    return "";
}

TEST(PopulationVerdict, PassesSoundLaunches) {
    EXPECT_EQ(verdict_on(4, [](vector<Count>&) {}), "");
}

TEST(PopulationVerdict, FindsALostWalk) {
    const auto lost_in_the_last_step = [](vector<Count>& counts) {
        counts[graph::visits_count(3, graph::steps - 1)]--;
        counts[bench::transitions_count]--;
        counts[bench::histories_count]--;
    };
    EXPECT_EQ(verdict_on(1, lost_in_the_last_step), "a launch published 65535 of 65536 walks");
    const auto lost_and_found = [](vector<Count>& counts) { counts[bench::transitions_count]--; };
    EXPECT_EQ(verdict_on(1, lost_and_found), "a launch published 5242879 of 5242880 steps");
}

TEST(PopulationVerdict, FindsUnevenQuarters) {
    const auto more_in_one = [](vector<Count>& counts) {
        for (unsigned step = 0; step < graph::steps; step++) {
            counts[graph::visits_count(0, step)] += 300;
            counts[graph::visits_count(1, step)] -= 300;
        }
    };
    const std::string said = verdict_on(1, more_in_one);
    EXPECT_EQ(said.find("group 0 of a launch"), 0u) << said;
}

TEST(PopulationVerdict, FindsWalksThatStay) {
    const auto stay = [](vector<Count>& counts) {
        for (unsigned quarter = 0; quarter < graph::quarters; quarter++) {
            for (unsigned step = 1; step < graph::steps; step++) {
                counts[graph::visits_count(quarter, step)] = counts[graph::visits_count(quarter, 0)];
            }
        }
    };
    const std::string said = verdict_on(1, stay);
    EXPECT_NE(said.find(" of a launch is "), std::string::npos) << said;
}

}  // namespace
