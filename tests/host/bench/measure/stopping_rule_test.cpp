// The stopping rule that options mean.
#include "bench/measure/stopping_rule.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "bench/errors.hpp"
#include "tests/host/bench/sample_estimand.hpp"
#include "tests/host/bench/sample_options.hpp"
#include "tests/host/bench/sample_tallies.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Independent;
using bench::Options;
using sample_options::launches_of;
using sample_options::scaled_weakly;

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

Options samples_of(std::uint64_t samples) {
    Options options;
    options.goal = samples;
    options.goal_option = "--samples";
    return options;
}

Options batch_of(unsigned launches) {
    Options options;
    options.batch = launches;
    return options;
}

/// The rule for launches of so many samples of a coin.
bench::StoppingRule rule(const Options& options, std::uint64_t of_launch = 1000, unsigned workers = 1,
                         Independent independent = Independent::samples) {
    return bench::stopping_rule(options, sample_tallies::estimand_of({{1, 2}, independent}), of_launch, workers);
}

TEST(StoppingRule, IsToMeasureUntilPreciseUnlessTheUserFixesTheWork) {
    Options options;
    EXPECT_FALSE(rule(options).launches);
    EXPECT_EQ(rule(options).min_seconds, 0.5);
    EXPECT_EQ(rule(options).max_seconds, 15);
    options.min_time = 1.5;
    options.max_time = 2.5;
    EXPECT_EQ(rule(options).min_seconds, 1.5);
    EXPECT_EQ(rule(options).max_seconds, 2.5);
    EXPECT_EQ(rule(launches_of(7)).launches, 7u);
}

TEST(StoppingRule, RoundsSamplesUpToWholeLaunches) {
    for (const auto& [samples, launches] :
         {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {999, 1}, {1000, 1}, {1001, 2}, {1'000'000, 1000}}) {
        EXPECT_EQ(rule(samples_of(samples)).launches, launches) << samples << " samples";
    }
}

TEST(StoppingRule, WeakScalingIsTheWorkOfEachWorker) {
    for (const unsigned workers : {1u, 2u, 8u}) {
        EXPECT_EQ(rule(scaled_weakly(launches_of(7)), 1000, workers).launches, 7 * workers);
        EXPECT_EQ(rule(scaled_weakly(samples_of(5000)), 1000, workers).launches, 5 * workers);
        EXPECT_EQ(rule(scaled_weakly(batch_of(3)), 1000, workers).batch, 3 * workers);
        EXPECT_FALSE(rule(scaled_weakly(batch_of(3)), 1000, workers).launches);
        EXPECT_FALSE(rule(scaled_weakly(launches_of(7)), 1000, workers).batch);
        EXPECT_EQ(rule(launches_of(7), 1000, workers).launches, 7u) << "shared";
        EXPECT_EQ(rule(samples_of(5000), 1000, workers).launches, 5u);
        EXPECT_EQ(rule(batch_of(3), 1000, workers).batch, 3u);
    }
}

TEST(StoppingRule, RefusesMoreThan64BitTotalsHold) {
    const std::uint64_t most = two_to_63 / 1024;
    EXPECT_EQ(rule(launches_of(most), 1024).launches, most);
    EXPECT_EQ(rule(scaled_weakly(launches_of(most / 4)), 1024, 4).launches, most);
    const struct {
        Options options;
        unsigned workers;
    } table[] = {
        {launches_of(most + 1), 1},
        {launches_of(two_to_63), 1},
        {samples_of(UINT64_MAX), 1},
        {scaled_weakly(launches_of(most / 4)), 5},
        {scaled_weakly(launches_of(most / 4)), UINT32_MAX},
        {scaled_weakly(samples_of(two_to_63 / 2)), 3},
        {scaled_weakly(launches_of(two_to_63 / 2)), 5},  // of which 64 bits keep 2^62
    };
    for (const auto& [options, workers] : table) {
        const std::string line = line_of<bench::UsageError>([&, o = options, w = workers] { rule(o, 1024, w); });
        EXPECT_NE(line.find("exceed 2^63 samples"), std::string::npos) << line;
        EXPECT_EQ(line.find(std::to_string(workers) + " times") != std::string::npos, workers > 1) << line;
    }
    const Options large = scaled_weakly(batch_of(UINT32_MAX));
    EXPECT_THROW(rule(large, 1, 2), bench::UsageError) << "more than a batch can be";
}

TEST(StoppingRule, RefusesFewerLaunchesThanAnErrorEstimateNeeds) {
    const auto of_set = [](const Options& options, unsigned workers = 1) {
        return rule(options, 1000, workers, Independent::launches).launches;
    };
    const auto refusal = [&](const Options& options, unsigned workers = 1) {
        return line_of<bench::UsageError>([&] { of_set(options, workers); });
    };
    EXPECT_EQ(of_set(launches_of(16)), 16u);
    EXPECT_EQ(of_set(samples_of(15'001)), 16u);
    EXPECT_EQ(of_set(scaled_weakly(launches_of(4)), 4), 16u) << "those of all workers";
    EXPECT_EQ(refusal(launches_of(15)),
              "--launches: 15 launches cannot be judged: an error estimate needs at least 16");
    EXPECT_EQ(refusal(samples_of(1)), "--samples: 1 launch cannot be judged: an error estimate needs at least 16");
    refusal(scaled_weakly(launches_of(4)), 3);
    refusal(launches_of(4), 4);
    for (const auto known : {Independent::samples, Independent::counts}) {
        EXPECT_EQ(rule(launches_of(1), 1000, 1, known).launches, 1u);
    }
}

TEST(StoppingRule, RefusesMoreLaunchesThanHaveRandomWordsOfTheirOwn) {
    class Few : public sample_estimand::Walks {
        std::uint64_t most_launches() const override { return 5'000; }
    };
    EXPECT_EQ(bench::stopping_rule(launches_of(5'000), Few(), 1'000).launches, 5'000u);
    EXPECT_EQ(line_of<bench::UsageError>([] { bench::stopping_rule(launches_of(5'001), Few(), 1'000); }),
              "--launches: 5,001 launches are more than the 5,000 that have random words of their own");
}

// Of a million counts, 8 MB, 33 fit into 256 MiB.
TEST(MostAtOnce, IsAsManyLaunchesAsHaveRoomForTheirCounts) {
    EXPECT_EQ(bench::most_at_once(1), bench::max_batch);
    EXPECT_EQ(bench::most_at_once(1'000'000), 33u);
    EXPECT_EQ(bench::most_at_once(1'000'000'000), 1u);
    EXPECT_EQ(bench::most_at_once(UINT64_MAX), 1u);
    EXPECT_EQ(bench::bytes_of(1'000'000, 12), 12'000'000u);
    EXPECT_EQ(bench::bytes_of(two_to_63, 12), SIZE_MAX) << "where a product is larger";
}

}  // namespace
