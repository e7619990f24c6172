// The estimand of hits: estimate and error, as text and as JSON; which launches and sums are possible.
#include "bench/estimands/hits/hits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/record/progress_line.hpp"
#include "bench/whole_numbers.hpp"
#include "tests/host/bench/sample_estimand.hpp"
#include "tests/host/bench/sample_tallies.hpp"

namespace {

using bench::Independent;
using bench::Law;
using bench::Occasion;
using bench::Soundness;
using bench::Tally;
using bench::Uint128;
using bench::UsageError;
using nlohmann::json;
using sample_tallies::estimand_of;
using sample_tallies::work_of;

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

constexpr Law coin = {{1, 2}};
constexpr Law certain = {{1, 1}};
constexpr Law coin_blocks = {{1, 2}, Independent::counts, 0.16};
constexpr Law coin_set = {{1, 2}, Independent::launches};
constexpr bench::Expectation lcg_mantissa = {3373260247, 4294967296.0};  // 4 P - pi = 7.6449e-7

/// Launches with `samples` samples in total, in equal blocks.
struct Launches {
    std::uint64_t launches;
    std::uint64_t samples;
    std::uint64_t blocks = 1;  // of each launch
};

/// Sum of the squares of `units` numbers with this sum and this sample variance, rounded.
Uint128 squares(std::uint64_t units, std::uint64_t sum, double variance) {
    const Uint128 square = Uint128{sum} * sum;
    const double rest = static_cast<double>(square % units) / static_cast<double>(units);
    return square / units + static_cast<Uint128>(std::llround(rest + static_cast<double>(units - 1) * variance));
}

/// Launches with these hits in total, whose units have `ratio` times the binomial variance.
Tally counted(const Law& law, const Launches& of, std::uint64_t hits, double ratio = 1,
              Soundness soundness = Soundness::sound) {
    Tally tally(estimand_of(law, soundness), work_of(law, of.samples / of.launches, of.blocks));
    const std::uint64_t units = of.launches * bench::CountedHits(tally).units_per_launch();
    const double variance = ratio * bench::binomial_variance(law.expected, of.samples / units);
    Tally::State state = sample_tallies::state_of(of.launches, hits);
    state.sums.row[1] = squares(units, hits, variance);
    tally.restore(state);
    return tally;
}

/// 10^11 samples of v11's generator, half an sd (1.298e6 hits each in 10^11) above their expectation.
Tally mantissas(Soundness soundness) {
    return counted({lcg_mantissa}, {1, 100'000'000'000}, 78'539'900'372, 0, soundness);
}

/// The same samples in 40 launches; only launches are independent.
Tally set_of_mantissas(double ratio) {
    return counted({lcg_mantissa, Independent::launches}, {40, 100'000'000'000}, 78'539'900'372, ratio,
                   Soundness::demonstration);
}

json outcome(const Tally& tally) { return json(tally.estimand().outcome(tally)); }
std::string report(const Tally& tally, Occasion occasion) { return tally.estimand().report(tally, occasion); }
std::string so_far(const Tally& tally) { return tally.estimand().estimate_so_far(tally); }

TEST(Hits, AreOfSamplesOfTheirSource) {
    const bench::Estimand& hits = estimand_of(coin, Soundness::sound_in_24_bits);
    EXPECT_STREQ(hits.unit().one, "sample");
    EXPECT_STREQ(hits.unit().many, "samples");
    EXPECT_STREQ(hits.generator(), "thrown by hand");
    EXPECT_EQ(hits.soundness(), Soundness::sound_in_24_bits);
}

TEST(Hits, AreNotReadFromAnotherEstimand) {
    bench::Step step = {};
    step.estimand = std::make_shared<sample_estimand::Walks>();
    EXPECT_THROW(bench::hits_of(*step.estimand), std::bad_cast);
    EXPECT_THROW(bench::source_of(step), std::bad_cast);
    EXPECT_THROW(bench::CountedHits(Tally(sample_estimand::walks, {})), std::bad_cast);
}

bench::Source source(Soundness soundness, double log2_cycle_samples, bool lagged = false) {
    return {.name = "coin",
            .generator = "thrown by hand",
            .soundness = soundness,
            .expected = coin.expected,
            .log2_cycle_samples = log2_cycle_samples,
            .lagged = lagged};
}

const bench::Source endless = source(Soundness::sound, 1000);
constexpr std::uint64_t points = std::uint64_t{1} << 32;

std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters, std::uint64_t most_samples = 0) {
    return bench::hits({.source = endless, .most_samples = most_samples})
        ->work_of_launch({.iters = iters, .streams = streams});
}

TEST(SamplesOfLaunch, AreStreamsTimesIters) {
    EXPECT_EQ(samples_of_launch(1, 1), 1u);
    EXPECT_EQ(samples_of_launch(270'336, 100'000), 27'033'600'000u);
    EXPECT_EQ(samples_of_launch(two_to_63 / 2, 2), two_to_63);
}

TEST(SamplesOfLaunch, AreNoMoreThan64BitTotalsHold) {
    EXPECT_THROW(samples_of_launch(two_to_63 / 2 + 1, 2), UsageError);
    EXPECT_THROW(samples_of_launch(two_to_63, 4'000'000'000), UsageError);
}

TEST(SamplesOfLaunch, AreNoMoreThanASetHasPoints) {
    EXPECT_EQ(samples_of_launch(262'144, 16'384, points), points);
    EXPECT_EQ(samples_of_launch(96, 1001, points), 96'096u);
    EXPECT_THROW(samples_of_launch(262'144, 16'385, points), UsageError);
    EXPECT_THROW(samples_of_launch(points + 1, 1, points), UsageError);
}

TEST(HitsOutcome, HasEveryKeyOfTheSchema) {
    const json o = outcome(counted(coin, {2, 3'000'000}, 1'500'000));
    std::set<std::string> keys, of_spread;
    for (const auto& [key, value] : o.items()) keys.insert(key);
    for (const auto& [key, value] : o.at("variance_ratio").items()) of_spread.insert(key);
    EXPECT_EQ(keys, (std::set<std::string>{"expected", "hits", "samples", "pi", "pi_sd", "bias", "sigma", "independent",
                                           "variance_ratio"}));
    EXPECT_EQ(of_spread, (std::set<std::string>{"ratio", "sd", "units", "over", "known"}));
}

TEST(HitsOutcome, IsTheEstimateAndHowFarItIsOff) {
    const json o = outcome(counted(coin, {1, 3'000'000}, 1'500'000));
    EXPECT_EQ(o.at("expected"), json({{"count", 1}, {"total", 2.0}}));
    EXPECT_EQ(o.at("hits"), 1'500'000);
    EXPECT_EQ(o.at("samples"), 3'000'000);
    EXPECT_EQ(o.at("pi"), 2.0);
    EXPECT_DOUBLE_EQ(o.at("pi_sd"), 0.0011547005383792515);  // 4 sqrt(1/4 / 3,000,000)
    EXPECT_DOUBLE_EQ(o.at("bias"), -1.1415926535897932);     // 2 - pi
    EXPECT_EQ(o.at("sigma"), 0.0);
    EXPECT_EQ(o.at("independent"), "samples");
    EXPECT_TRUE(o.at("variance_ratio").is_null()) << "of one unit";
}

TEST(HitsOutcome, Keeps64BitIntegersExact) {
    const Law large = {{14488039784235244011u, 18446744073709551616.0}};
    const json o = outcome(counted(large, {1, 9223372036854775807u}, 7244019892117607921u, 0));
    EXPECT_EQ(o.at("expected").at("count").get<std::uint64_t>(), 14488039784235244011u);
    EXPECT_EQ(o.at("expected").at("total").get<double>(), 18446744073709551616.0);
    EXPECT_EQ(o.at("hits").get<std::uint64_t>(), 7244019892117607921u);
    EXPECT_EQ(o.at("samples").get<std::uint64_t>(), 9223372036854775807u);
    for (const char* key : {"hits", "samples"}) {
        EXPECT_TRUE(o.at(key).is_number_unsigned()) << key << " is " << o.at(key);
    }
}

// 749 degrees of freedom.
TEST(HitsOutcome, OfIndependentSamplesHasTheirSpreadButTheBinomialsUncertainty) {
    const json o = outcome(counted(coin, {3, 3'000'000, 250}, 1'500'000, 1.02));
    const json& spread = o.at("variance_ratio");
    EXPECT_DOUBLE_EQ(spread.at("ratio"), 1.02);
    EXPECT_DOUBLE_EQ(spread.at("sd"), 1.02 * std::sqrt(2.0 / 749));
    EXPECT_EQ(spread.at("units"), 750);
    EXPECT_EQ(spread.at("over"), "blocks");
    EXPECT_EQ(spread.at("known"), 1.0);
    EXPECT_DOUBLE_EQ(o.at("pi_sd"), 0.0011547005383792515);
}

// A fifth of the binomial standard deviation; the hits are 1.1547 of those too few.
TEST(HitsOutcome, OfPointSetsHasTheMeasuredUncertainty) {
    const json o = outcome(counted(coin_set, {40, 3'000'000}, 1'499'000, 0.04));
    EXPECT_EQ(o.at("independent"), "launches");
    EXPECT_EQ(o.at("variance_ratio").at("over"), "launches");
    EXPECT_TRUE(o.at("variance_ratio").at("known").is_null());
    EXPECT_NEAR(o.at("pi_sd"), 0.0011547005383792515 / 5, 1e-15);
    EXPECT_NEAR(o.at("sigma"), -1.1547005383792515 * 5, 1e-12);
}

TEST(HitsOutcome, OfDependentSamplesHasTheKnownUncertaintyWhereThereIsOne) {
    for (const std::uint64_t units : {15u, 40u}) {
        const json o = outcome(counted(coin_blocks, {1, 3'000'000, units}, 1'500'000, 0.04));
        EXPECT_EQ(o.at("independent"), "blocks");
        EXPECT_EQ(o.at("variance_ratio").at("known"), 0.16);
        EXPECT_DOUBLE_EQ(o.at("variance_ratio").at("ratio"), 0.04);
        EXPECT_NEAR(o.at("pi_sd"), 0.0011547005383792515 * 2 / 5, 1e-15);
    }
}

TEST(HitsOutcome, OfTooFewPointSetsHasNoUncertainty) {
    const json o = outcome(counted(coin_set, {15, 3'000'000}, 1'500'000, 0.04));
    EXPECT_TRUE(o.at("pi_sd").is_null());
    EXPECT_TRUE(o.at("sigma").is_null());
    EXPECT_EQ(o.at("variance_ratio").at("units"), 15);
}

TEST(HitsOutcome, OfACertainOutcomeHasABiasAndNoSpread) {
    const json o = outcome(counted(certain, {3, 3'000'000}, 3'000'000));
    EXPECT_EQ(o.at("pi_sd"), 0.0);
    EXPECT_EQ(o.at("sigma"), 0.0);
    EXPECT_DOUBLE_EQ(o.at("bias"), 0.858407346410207);
    EXPECT_TRUE(o.at("variance_ratio").is_null());
}

TEST(HitsTrace, PointsAreSamplesAndHits) {
    const bench::Estimand& hits = estimand_of(coin);
    const bench::Work work = work_of(coin, 1'000'000);
    EXPECT_EQ(json(hits.point({1, {500'400, 0, 0}}, work)), json({1'000'000, 500'400}));
    EXPECT_EQ(json(hits.point({2, {999'900, 0, 0}}, work)), json({2'000'000, 999'900}));
}

TEST(HitsReport, OfAPooledRunTellsHowFarToBelieveIt) {
    EXPECT_EQ(report(mantissas(Soundness::sound), Occasion::pooled),
              "  pi        3.141596015 +- 5.2e-06 (1 sd) from 100,000,000,000 samples, +0.50 sd from its expectation\n"
              "  bias      +7.64e-07 known, from coordinates and generator (4P - pi)\n"
              "  believed  3.1416 (bias and two sd come to 1.1e-05; right to +-1 in the last digit)\n");
}

TEST(HitsReport, OfAnotherRunTellsTheEstimateOnly) {
    EXPECT_EQ(report(counted(coin, {3, 3'000'000}, 1'500'000), Occasion::timed),
              "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n");
}

TEST(HitsReport, OfADemonstrationSaysThatItsSdIsThatOfIndependentSamples) {
    const auto reserved = [](Soundness soundness) {
        return report(mantissas(soundness), Occasion::pooled).find("independent samples") != std::string::npos;
    };
    EXPECT_TRUE(reserved(Soundness::demonstration));
    EXPECT_FALSE(reserved(Soundness::sound));
    EXPECT_FALSE(reserved(Soundness::sound_in_24_bits));
}

TEST(HitsReport, OfACertainOutcomeHasABiasAndNoSpread) {
    EXPECT_EQ(report(counted(certain, {3, 3'000'000}, 3'000'000, 0, Soundness::demonstration), Occasion::pooled),
              "  pi        4.000000000 +- 0 (1 sd) from 3,000,000 samples, +0.00 sd from its expectation\n"
              "  bias      +0.858 known, from coordinates and generator (4P - pi)\n"
              "  believed  no digit (bias and two sd come to 0.86)\n");
}

// A fifth of the binomial standard deviation, hence five times the distance.
TEST(HitsReport, OfPointSetsHasTheMeasuredStandardDeviation) {
    EXPECT_EQ(report(set_of_mantissas(0.04), Occasion::pooled),
              "  pi        3.141596015 +- 1e-06 (1 sd, as measured) from 100,000,000,000 samples, +2.50 sd from its "
              "expectation\n"
              "  bias      +7.64e-07 known, from coordinates and generator (4P - pi)\n"
              "  believed  3.14160 (bias and two sd come to 2.8e-06; right to +-1 in the last digit)\n");
    EXPECT_EQ(
        report(counted(coin_set, {40, 3'000'000}, 1'500'100, 0.04), Occasion::timed),  // 0.11547 of the binomial's
        "  pi        2.000133333 from 3,000,000 samples, +0.58 sd from its expectation\n");
}

// An sd of 1.6e-10.
TEST(HitsReport, OfAFineStandardDeviationHasTheDecimalsThatReachIt) {
    const std::string pooled = report(set_of_mantissas(1e-9), Occasion::pooled);
    EXPECT_EQ(pooled.find("  pi        3.1415960149 +- 1.6e-10 (1 sd, as measured) from"), 0u) << pooled;
    const std::string timed = report(set_of_mantissas(1e-9), Occasion::timed);
    EXPECT_EQ(timed.find("  pi        3.1415960149 from"), 0u) << timed;
}

TEST(HitsReport, OfTooFewPointSetsHasNoError) {
    EXPECT_EQ(report(counted(coin_set, {15, 3'000'000}, 1'500'000, 0.04), Occasion::pooled),
              "  pi        2.000000000 from 3,000,000 samples; too few launches for an error\n"
              "  bias      -1.14 known, from coordinates and generator (4P - pi)\n");
    EXPECT_NE(report(counted(coin_set, {16, 3'000'000}, 1'500'000, 0.04), Occasion::pooled).find("(1 sd, as measured)"),
              std::string::npos);
}

TEST(HitsReport, OfOneLaunchHasAnErrorWhereTheVarianceIsKnown) {
    EXPECT_EQ(report(counted(coin_set, {1, 3'000'000}, 1'500'000, 0), Occasion::one_launch),
              "  pi        2.000000000 from 3,000,000 samples; one launch has no error estimate\n");
    EXPECT_EQ(report(counted(coin_blocks, {1, 3'000'000, 40}, 1'500'000, 0.04), Occasion::one_launch),
              "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n");
}

// A standard deviation of 4 sqrt(1/4 / 10^14), and of 3 times as many samples.
TEST(HitsSoFar, AreToldToTheFirstDigitOfTheirStandardDeviation) {
    EXPECT_EQ(so_far(counted(coin, {1, 100'000'000'000'000}, 50'000'012'000'000, 0)), "2.0000005 +- 2e-07");
    EXPECT_EQ(so_far(counted(coin, {1, 300'000'000'000'000}, 150'000'000'000'000, 0)), "2.0000000 +- 1e-07");
}

TEST(HitsSoFar, OfACertainOutcomeHaveNoSpread) { EXPECT_EQ(so_far(counted(certain, {1, 1'000}, 1'000, 0)), "4 +- 0"); }

// A tenth of the binomial variance.
TEST(HitsSoFar, OfPointSetsHaveTheMeasuredStandardDeviation) {
    EXPECT_EQ(so_far(counted(coin_set, {32, 100'000'000'000'000}, 50'000'012'000'000, 0.01)), "2.00000048 +- 2e-08");
}

TEST(HitsSoFar, OfTooFewPointSetsHaveNoStandardDeviation) {
    EXPECT_EQ(so_far(counted(coin_set, {8, 100'000'000'000'000}, 50'000'012'000'000, 0.01)), "2.0000");
}

TEST(HitsSoFar, OfTheLargestRunFitATerminal) {
    const Law quarter_circle = {{14488039784235215844u, 18446744073709551616.0}};
    const std::uint64_t done = 999'000'000'000'000'000;
    const double share = static_cast<double>(done) / 1'073'741'824'000'000'000;
    const Tally large = counted(quarter_circle, {1, done}, 785'000'000'000'000'000, 0);
    const std::string text = bench::progress_text({done, share, 0, large.estimand().unit(), 4e8, 4.2e5, so_far(large)});
    EXPECT_LT(text.size(), 80u) << text;
}

std::optional<bench::VarianceRatio> variance_ratio(const Tally& tally) {
    return tally.estimand().variance_ratio(tally);
}

// 40 launches of 264 blocks; 10,559 degrees of freedom.
TEST(HitsVarianceRatio, OfIndependentBlocksIsTheKnownOne) {
    const auto ratio = variance_ratio(counted(coin_blocks, {40, 10'560'000, 264}, 5'280'000, 0.04));
    ASSERT_TRUE(ratio);
    EXPECT_EQ(ratio->value, 0.16);
    EXPECT_EQ(ratio->origin, "variance 0.16 of the binomial, 0.04 +- 0.0006 measured over 10,560 blocks");
    const auto unmeasured = variance_ratio(counted(coin_blocks, {1, 3'000'000}, 1'500'000, 0));
    ASSERT_TRUE(unmeasured);
    EXPECT_EQ(unmeasured->value, 0.16);
    EXPECT_EQ(unmeasured->origin, "variance 0.16 of the binomial");
}

TEST(HitsVarianceRatio, OfPointSetsIsTheMeasuredOne) {
    const auto ratio = variance_ratio(counted(coin_set, {40, 3'000'000}, 1'500'000, 0.04));
    ASSERT_TRUE(ratio);
    EXPECT_DOUBLE_EQ(ratio->value, 0.04);
    EXPECT_EQ(ratio->origin, "variance 0.04 +- 0.009 of the binomial measured over 40 launches");
    EXPECT_FALSE(variance_ratio(counted(coin_set, {15, 3'000'000}, 1'500'000, 0.04))) << "too few to tell";
}

TEST(HitsVarianceRatio, OfIndependentSamplesIsNone) {
    EXPECT_FALSE(variance_ratio(counted(coin, {3, 3'000'000, 250}, 1'500'000, 1.02)));
}

std::vector<std::string> warnings(const bench::HitsOf& what, std::uint64_t samples, Occasion occasion) {
    const auto estimand = bench::hits(what);
    Tally tally(*estimand, work_of(coin, samples));
    tally.restore(sample_tallies::state_of(1, samples / 2));
    return estimand->warnings(tally, occasion);
}

using Lines = std::vector<std::string>;

TEST(HitsWarnings, SayWhereStreamsOfOneCycleOverlap) {
    const bench::Source short_cycle = source(Soundness::demonstration, 20);
    EXPECT_EQ(warnings({short_cycle}, 1'048'577, Occasion::pooled),
              Lines{"the whole cycle of the generator is 1.05e+06 samples, and this run took 1.05e+06: its streams "
                    "overlap"});
    EXPECT_EQ(warnings({short_cycle}, 1'048'576, Occasion::pooled), Lines{});
    EXPECT_EQ(warnings({short_cycle}, 1'048'577, Occasion::timed), Lines{}) << "a rate needs no independent streams";
    EXPECT_EQ(warnings({source(Soundness::sound, 20)}, 1'048'577, Occasion::pooled), Lines{});
    EXPECT_EQ(warnings({source(Soundness::demonstration, 20, true)}, 1'048'577, Occasion::pooled), Lines{})
        << "each stream starts in another cycle";
}

TEST(HitsWarnings, SayWherePointsOfASetAreLessEvenlySpread) {
    for (const Occasion occasion : {Occasion::timed, Occasion::pooled}) {
        const bench::HitsOf set = {.source = endless, .independent = Independent::launches, .most_samples = points};
        EXPECT_EQ(warnings(set, 96'096, occasion),
                  Lines{"96096 points are not a power of two: they are less evenly spread"});
        EXPECT_EQ(warnings(set, 65'536, occasion), Lines{});
        EXPECT_EQ(warnings({endless}, 96'096, occasion), Lines{}) << "of no set";
    }
}

/// Three launches of ten samples in two blocks, with 3 and 4, 4 and 4, and 5 and 4 hits.
Tally::State small() {
    Tally tally(estimand_of(coin), work_of(coin, 10, 2));
    for (const bench::Count first : {3, 4, 5}) tally.add(std::vector<bench::Count>{first, 4});
    return tally.state();
}

/// The reason why no launches can lead to the small tally after a change; empty if some can.
std::string contradiction(const std::function<void(Tally::State&)>& change) {
    Tally::State state = small();
    change(state);
    Tally tally(estimand_of(coin), work_of(coin, 10, 2));
    tally.restore(state);
    try {
        tally.estimand().check(tally);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

std::string contradiction_of(Uint128 hits, Uint128 of_units, Uint128 of_launches) {
    return contradiction([&](Tally::State& state) { state.sums.row = {hits, of_units, of_launches}; });
}

/// The same for a trace with these points before the last one: launches and hits.
std::string contradiction_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& trace) {
    return contradiction([&](Tally::State& state) {
        state.marked.clear();
        for (const auto& [launches, hits] : trace) state.marked.push_back({launches, {hits, 0, 0}});
    });
}

TEST(HitsCheck, AcceptsWhatLaunchesLeadTo) {
    EXPECT_EQ(contradiction([](Tally::State&) {}), "");
    EXPECT_EQ(contradiction([](Tally::State& state) { state = {}; }), "");
}

TEST(HitsCheck, RefusesMoreHitsThanSamples) {
    EXPECT_EQ(contradiction_of(31, 200, 400), "it has more hits than samples");
    EXPECT_EQ(contradiction_of((Uint128{1} << 64) + 24, 98, 194), "it has more hits than samples");
}

// 24 hits: their square, 576, is 192 over 3 launches and 96 over 6 blocks.
TEST(HitsCheck, RefusesSquaresThatNoNumbersHave) {
    const std::string reason = "its sums of squares contradict its hits";
    EXPECT_EQ(contradiction_of(24, 96, 192), "");
    EXPECT_EQ(contradiction_of(24, 576, 576), "");
    EXPECT_EQ(contradiction_of(24, 95, 194), reason);
    EXPECT_EQ(contradiction_of(24, 577, 194), reason);
    EXPECT_EQ(contradiction_of(24, 98, 191), reason);
    EXPECT_EQ(contradiction_of(24, 98, 577), reason);
    EXPECT_EQ(contradiction([](Tally::State& state) {
                  state = {};
                  state.sums.row = {0, 1, 0};
              }),
              reason)
        << "of no launch";
}

TEST(HitsCheck, RefusesSquaresOfPartsThatPassThoseOfTheWhole) {
    const std::string reason = "its sums of squares contradict each other";
    EXPECT_EQ(contradiction_of(24, 300, 300), "");
    EXPECT_EQ(contradiction_of(24, 300, 299), reason);
    EXPECT_EQ(contradiction([](Tally::State& state) { state.most = {9, 82, 81}; }), reason);
    EXPECT_EQ(contradiction([](Tally::State& state) { state.marked = {{1, {7, 50, 49}}}; }), reason);
}

TEST(HitsCheck, RefusesExtremesOfWhichOneIsNotTheSquareOfTheOther) {
    const std::string reason = "the extremes of its launches contradict each other";
    EXPECT_EQ(contradiction([](Tally::State& state) { state.least = {7, 0, 48}; }), reason);
    EXPECT_EQ(contradiction([](Tally::State& state) { state.most = {9, 41, 82}; }), reason);
}

TEST(HitsCheck, RefusesAStretchWithMoreHitsThanSamples) {
    const std::string reason = "its trace has more hits than samples";
    EXPECT_EQ(contradiction_of({{1, 7}, {2, 15}}), "");
    EXPECT_EQ(contradiction_of({{1, 11}}), reason);
    EXPECT_EQ(contradiction_of({{1, 7}, {2, 18}}), reason) << "11 hits of 10 samples";
    EXPECT_EQ(contradiction_of({{2, 13}}), reason) << "11 of the last 10";
}

}  // namespace
