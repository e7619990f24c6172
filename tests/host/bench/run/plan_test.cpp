// The number of launches that options ask for.
#include "bench/run/plan.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "bench/errors.hpp"
#include "tests/host/bench/sample_options.hpp"
#include "tests/host/bench/sample_solution.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::Independent;
using bench::Options;
using bench::UsageError;
using sample_options::launches_of;
using sample_options::scaled_weakly;

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

const bench::Estimand& estimand_of(Independent independent = Independent::samples) {
    return sample_tallies::estimand_of({{1, 2}, independent});
}

bench::StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch,
                                  Independent independent = Independent::samples, unsigned workers = 1) {
    return bench::stopping_rule(options, estimand_of(independent), samples_per_launch, workers);
}

TEST(BytesOf, AreTheMostThatThereAreWhereAProductIsLarger) {
    EXPECT_EQ(bench::bytes_of(1'000'000, 12), 12'000'000u);
    EXPECT_EQ(bench::bytes_of(two_to_63, 12), SIZE_MAX);
}

TEST(StoppingRule, DefaultIsToMeasureUntilPrecise) {
    const bench::StoppingRule rule = stopping_rule({}, 1000);
    EXPECT_FALSE(rule.launches);
    EXPECT_EQ(rule.max_seconds, 15);
    EXPECT_EQ(rule.min_timings, 50u);
    EXPECT_EQ(rule.min_seconds, 0.5);
    EXPECT_EQ(rule.relative_half_width, 0.005);
}

TEST(StoppingRule, RefusesMoreLaunchesThanHaveRandomWordsOfTheirOwn) {
    bench::SolutionOf what = sample_solution::facts();
    what.most_launches = 5'000;
    const auto estimand = bench::solution(what);
    EXPECT_EQ(bench::stopping_rule(launches_of(5'000), *estimand, 1'000).launches, 5'000u);
    try {
        bench::stopping_rule(launches_of(5'001), *estimand, 1'000);
        ADD_FAILURE() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "--launches: 5,001 launches are more than the 5,000 that have random words of their own");
    }
}

TEST(StoppingRule, TakesItsTimes) {
    Options options;
    options.min_time = 1.5;
    options.max_time = 2.5;
    EXPECT_EQ(stopping_rule(options, 1000).min_seconds, 1.5);
    EXPECT_EQ(stopping_rule(options, 1000).max_seconds, 2.5);
}

TEST(StoppingRule, TakesTheNumberOfLaunches) {
    Options options;
    options.launches = 7;
    EXPECT_EQ(stopping_rule(options, 1000).launches, 7u);
}

TEST(StoppingRule, RoundsSamplesUpToWholeLaunches) {
    for (const auto& [samples, launches] :
         {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {999, 1}, {1000, 1}, {1001, 2}, {1'000'000, 1000}}) {
        Options options;
        options.goal = samples;
        EXPECT_EQ(stopping_rule(options, 1000).launches, launches) << samples << " samples";
    }
}

TEST(StoppingRule, RefusesMoreThan64BitTotalsHold) {
    Options options;
    options.launches = two_to_63 / 1024;
    EXPECT_EQ(stopping_rule(options, 1024).launches, two_to_63 / 1024);
    options.launches = two_to_63 / 1024 + 1;
    EXPECT_THROW(stopping_rule(options, 1024), UsageError);
    options.launches = two_to_63;
    EXPECT_THROW(stopping_rule(options, 1024), UsageError);
    options.launches.reset();
    options.goal = UINT64_MAX;
    EXPECT_THROW(stopping_rule(options, 1024), UsageError);
}

// Of a million counts, 8 MB, 33 fit into 256 MiB.
TEST(MostAtOnce, IsAsManyLaunchesAsHaveRoomForTheirCounts) {
    EXPECT_EQ(bench::most_at_once(1), bench::max_batch);
    EXPECT_EQ(bench::most_at_once(1'000'000), 33u);
    EXPECT_EQ(bench::most_at_once(1'000'000'000), 1u);
    EXPECT_EQ(bench::most_at_once(UINT64_MAX), 1u);
}

TEST(StoppingRule, WeakScalingIsTheWorkOfEachGpu) {
    Options launches, samples, batch;
    launches.launches = 7;
    samples.goal = 5000;
    batch.batch = 3;
    const auto rule = [](const Options& options, unsigned gpus) {
        return stopping_rule(options, 1000, Independent::samples, gpus);
    };
    for (const unsigned gpus : {1u, 2u, 8u}) {
        EXPECT_EQ(rule(scaled_weakly(launches), gpus).launches, 7 * gpus);
        EXPECT_EQ(rule(scaled_weakly(samples), gpus).launches, 5 * gpus);
        EXPECT_EQ(rule(scaled_weakly(batch), gpus).batch, 3 * gpus);
        EXPECT_EQ(rule(launches, gpus).launches, 7u) << "shared";
        EXPECT_EQ(rule(samples, gpus).launches, 5u);
        EXPECT_EQ(rule(batch, gpus).batch, 3u);
    }
    EXPECT_FALSE(rule(scaled_weakly(batch), 2).launches);
    EXPECT_FALSE(rule(scaled_weakly(launches), 2).batch);
}

TEST(StoppingRule, WeakScalingRefusesMoreThan64BitTotalsHold) {
    Options options;
    options.launches = two_to_63 / 1024 / 4;
    EXPECT_EQ(stopping_rule(scaled_weakly(options), 1024, Independent::samples, 4).launches, two_to_63 / 1024);
    Options samples;
    samples.goal = two_to_63 / 2;
    const std::pair<Options, unsigned> refused[] = {{options, 5}, {options, UINT32_MAX}, {samples, 3}};
    for (const auto& [work, gpus] : refused) {
        EXPECT_NO_THROW(stopping_rule(work, 1024, Independent::samples, gpus)) << "shared it is not too much";
        try {
            stopping_rule(scaled_weakly(work), 1024, Independent::samples, gpus);
            ADD_FAILURE() << "accepted " << gpus << " times as much";
        } catch (const UsageError& error) {
            const std::string line = error.what();
            EXPECT_NE(line.find("2^63 samples"), std::string::npos) << line;
            EXPECT_NE(line.find(std::to_string(gpus)), std::string::npos) << line;
            EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        }
    }
    options.launches = two_to_63 / 2;
    EXPECT_THROW(stopping_rule(scaled_weakly(options), 1, Independent::samples, 5), UsageError)
        << "5 times 2^62 launches, of which 64 bits keep 2^62";
}

/// The line that refuses these launches, or samples of which 1000 make a launch; empty if they are accepted.
std::string refusal(const Options& options, Independent independent) {
    try {
        stopping_rule(options, 1000, independent);
        return "";
    } catch (const UsageError& error) {
        return error.what();
    }
}

TEST(StoppingRule, RefusesFewerLaunchesThanAnErrorEstimateNeeds) {
    EXPECT_EQ(refusal(launches_of(15), Independent::launches),
              "--launches: 15 launches cannot be judged: an error estimate needs at least 16");
    EXPECT_EQ(refusal(launches_of(16), Independent::launches), "");
    Options samples;
    samples.goal = 1;
    samples.goal_option = "--samples";
    EXPECT_EQ(refusal(samples, Independent::launches),
              "--samples: 1 launch cannot be judged: an error estimate needs at least 16");
    samples.goal = 15'001;
    EXPECT_EQ(refusal(samples, Independent::launches), "");
}

TEST(StoppingRule, LaunchesOfAllGpusAreAnErrorEstimate) {
    EXPECT_NO_THROW(stopping_rule(scaled_weakly(launches_of(4)), 1000, Independent::launches, 4));
    EXPECT_THROW(stopping_rule(scaled_weakly(launches_of(4)), 1000, Independent::launches, 3), UsageError);
    EXPECT_THROW(stopping_rule(launches_of(4), 1000, Independent::launches, 4), UsageError);
}

TEST(StoppingRule, WhereTheVarianceIsKnownOneLaunchIsEnough) {
    EXPECT_EQ(refusal(launches_of(1), Independent::samples), "");
    EXPECT_EQ(refusal(launches_of(1), Independent::counts), "");
}

}  // namespace
