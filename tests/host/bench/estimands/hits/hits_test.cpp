// The estimand of hits: estimate and error, as text and as JSON; which launches and sums are possible; its replay.
#include "bench/estimands/hits/hits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
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

using bench::Count;
using bench::Independent;
using bench::Law;
using bench::Occasion;
using bench::Soundness;
using bench::Tally;
using bench::Uint128;
using nlohmann::json;
using sample_tallies::estimand_of;
using sample_tallies::spec_of;

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
    Tally tally(estimand_of(law, soundness), spec_of(law, of.samples / of.launches, of.blocks));
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

TEST(Hits, AreNotReadFromAnotherEstimand) {
    bench::Step step = {};
    step.estimand = std::make_shared<sample_estimand::Walks>();
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

TEST(SamplesOfLaunch, AreStreamsTimesItersUpTo64BitTotalsAndThePointsOfASet) {
    const struct {
        std::uint64_t streams;
        unsigned iters;
        std::uint64_t most, samples;  // 0: refused
    } table[] = {
        {270'336, 100'000, 0, 27'033'600'000}, {two_to_63 / 2, 2, 0, two_to_63},  {two_to_63 / 2 + 1, 2, 0, 0},
        {two_to_63, 4'000'000'000, 0, 0},      {262'144, 16'384, points, points}, {96, 1001, points, 96'096},
        {262'144, 16'385, points, 0},          {points + 1, 1, points, 0},
    };
    for (const auto& [streams, iters, most, samples] : table) {
        const auto estimand = bench::hits({.source = endless, .most_samples = most});
        const bench::LaunchSpec spec = {.iters = iters, .streams = streams};
        if (samples == 0) {
            EXPECT_THROW(estimand->work_of_launch(spec), bench::UsageError) << streams;
        } else {
            EXPECT_EQ(estimand->work_of_launch(spec), samples);
        }
    }
}

/// Asserts that a document is this one, with numbers to twelve digits.
void expect_document(const json& actual, const json& expected) {
    const json a = actual.flatten(), b = expected.flatten();
    EXPECT_EQ(a.size(), b.size()) << actual;
    for (const auto& [key, value] : b.items()) {
        ASSERT_TRUE(a.contains(key)) << key;
        if (value.is_number_float()) {
            EXPECT_NEAR(a.at(key).get<double>(), value.get<double>(), 1e-12 * std::abs(value.get<double>())) << key;
        } else {
            EXPECT_EQ(a.at(key), value) << key;
        }
    }
}

// An sd of 4 sqrt(1/4 / 3,000,000), of 749 degrees of freedom for 750 blocks; a bias of 2 - pi.
TEST(HitsOutcome, IsTheEstimateWithItsKnownOrMeasuredUncertainty) {
    const std::pair<Tally, const char*> table[] = {
        {counted(coin, {1, 3'000'000}, 1'500'000),
         R"({"pi": 2.0, "hits": 1500000, "pi_sd": 0.0011547005383792515, "bias": -1.1415926535897932, "sigma": 0.0,
             "independent": "samples", "variance_ratio": null})"},
        {counted(coin, {3, 3'000'000, 250}, 1'500'000, 1.02),
         R"({"pi": 2.0, "hits": 1500000, "pi_sd": 0.0011547005383792515, "bias": -1.1415926535897932, "sigma": 0.0,
             "independent": "samples", "variance_ratio":
             {"ratio": 1.02, "sd": 0.052707723711537785, "units": 750, "over": "blocks", "known": 1.0}})"},
        // A fifth of the binomial standard deviation; the hits are 1.1547 of those too few.
        {counted(coin_set, {40, 3'000'000}, 1'499'000, 0.04),
         R"({"pi": 1.9986666666666666, "hits": 1499000, "pi_sd": 0.0002309401076758503, "bias": -1.1415926535897932,
             "sigma": -5.773502691896257, "independent": "launches", "variance_ratio":
             {"ratio": 0.04, "sd": 0.009058216273156767, "units": 40, "over": "launches", "known": null}})"},
        {counted(coin_set, {15, 3'000'000}, 1'500'000, 0.04),  // too few to tell
         R"({"pi": 2.0, "hits": 1500000, "pi_sd": null, "bias": -1.1415926535897932, "sigma": null,
             "independent": "launches", "variance_ratio":
             {"ratio": 0.04, "sd": 0.015118578920369089, "units": 15, "over": "launches", "known": null}})"},
        {counted(coin_blocks, {1, 3'000'000, 15}, 1'500'000, 0.04),
         R"({"pi": 2.0, "hits": 1500000, "pi_sd": 0.0004618802153517007, "bias": -1.1415926535897932, "sigma": 0.0,
             "independent": "blocks", "variance_ratio":
             {"ratio": 0.04, "sd": 0.015118578920369089, "units": 15, "over": "blocks", "known": 0.16}})"},
        {counted(certain, {3, 3'000'000}, 3'000'000),
         R"({"pi": 4.0, "hits": 3000000, "pi_sd": 0.0, "bias": 0.858407346410207, "sigma": 0.0,
             "independent": "samples", "variance_ratio": null})"},
    };
    for (const auto& [tally, fields] : table) {
        json expected = json::parse(fields);
        const double total = expected["pi"] == 4.0 ? 1 : 2;
        expected["expected"] = {{"count", 1}, {"total", total}};
        expected["samples"] = 3'000'000;
        expect_document(tally.estimand().outcome(tally), expected);
    }
}

TEST(HitsOutcome, Keeps64BitIntegersExact) {
    const Law large = {{14488039784235244011u, 18446744073709551616.0}};
    const Tally tally = counted(large, {1, 9223372036854775807u}, 7244019892117607921u, 0);
    const json o = tally.estimand().outcome(tally);
    EXPECT_EQ(o.at("expected").at("count").get<std::uint64_t>(), 14488039784235244011u);
    EXPECT_EQ(o.at("expected").at("total").get<double>(), 18446744073709551616.0);
    EXPECT_EQ(o.at("hits").dump(), "7244019892117607921");
    EXPECT_EQ(o.at("samples").dump(), "9223372036854775807");
    EXPECT_EQ(json(tally.estimand().point({1, {500'400, 0, 0}}, spec_of(coin, 1'000'000))), json({1'000'000, 500'400}));
}

TEST(HitsReport, TellsTheEstimateAndOfAPooledRunHowFarToBelieveIt) {
    const std::string bias = "  bias      +7.64e-07 known, from coordinates and generator (4P - pi)\n";
    const struct {
        Tally tally;
        Occasion occasion;
        std::string text;
    } table[] = {
        {mantissas(Soundness::sound), Occasion::pooled,
         "  pi        3.141596015 +- 5.2e-06 (1 sd) from 100,000,000,000 samples, +0.50 sd from its expectation\n" +
             bias + "  believed  3.1416 (bias and two sd come to 1.1e-05; right to +-1 in the last digit)\n"},
        {mantissas(Soundness::demonstration), Occasion::pooled,
         "  pi        3.141596015 +- 5.2e-06 (1 sd for independent samples, which its generator does not fully "
         "provide) "
         "from 100,000,000,000 samples, +0.50 sd from its expectation\n" +
             bias + "  believed  3.1416 (bias and two sd come to 1.1e-05; right to +-1 in the last digit)\n"},
        {counted(coin, {3, 3'000'000}, 1'500'000), Occasion::timed,
         "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n"},
        {counted(certain, {3, 3'000'000}, 3'000'000, 0, Soundness::demonstration), Occasion::pooled,
         "  pi        4.000000000 +- 0 (1 sd) from 3,000,000 samples, +0.00 sd from its expectation\n"
         "  bias      +0.858 known, from coordinates and generator (4P - pi)\n"
         "  believed  no digit (bias and two sd come to 0.86)\n"},
        // A fifth of the binomial standard deviation, hence five times the distance.
        {set_of_mantissas(0.04), Occasion::pooled,
         "  pi        3.141596015 +- 1e-06 (1 sd, as measured) from 100,000,000,000 samples, +2.50 sd from its "
         "expectation\n" +
             bias + "  believed  3.14160 (bias and two sd come to 2.8e-06; right to +-1 in the last digit)\n"},
        {counted(coin_set, {40, 3'000'000}, 1'500'100, 0.04), Occasion::timed,  // 0.11547 of the binomial's
         "  pi        2.000133333 from 3,000,000 samples, +0.58 sd from its expectation\n"},
        {counted(coin_set, {15, 3'000'000}, 1'500'000, 0.04), Occasion::pooled,
         "  pi        2.000000000 from 3,000,000 samples; too few launches for an error\n"
         "  bias      -1.14 known, from coordinates and generator (4P - pi)\n"},
        {counted(coin_set, {1, 3'000'000}, 1'500'000, 0), Occasion::one_launch,
         "  pi        2.000000000 from 3,000,000 samples; one launch has no error estimate\n"},
        {counted(coin_blocks, {1, 3'000'000, 40}, 1'500'000, 0.04), Occasion::one_launch,
         "  pi        2.000000000 from 3,000,000 samples, +0.00 sd from its expectation\n"},
    };
    for (const auto& [tally, occasion, text] : table) EXPECT_EQ(tally.estimand().report(tally, occasion), text);
}

// An sd of 1.6e-10.
TEST(HitsReport, OfAFineStandardDeviationHasTheDecimalsThatReachIt) {
    const Tally fine = set_of_mantissas(1e-9);
    const std::string pooled = fine.estimand().report(fine, Occasion::pooled);
    EXPECT_EQ(pooled.find("  pi        3.1415960149 +- 1.6e-10 (1 sd, as measured) from"), 0u) << pooled;
    const std::string timed = fine.estimand().report(fine, Occasion::timed);
    EXPECT_EQ(timed.find("  pi        3.1415960149 from"), 0u) << timed;
}

// A standard deviation of 4 sqrt(1/4 / 10^14), and of 3 times as many samples; a tenth of it where it is measured.
TEST(HitsSoFar, AreToldToTheFirstDigitOfTheirStandardDeviation) {
    const std::pair<Tally, const char*> table[] = {
        {counted(coin, {1, 100'000'000'000'000}, 50'000'012'000'000, 0), "2.0000005 +- 2e-07"},
        {counted(coin, {1, 300'000'000'000'000}, 150'000'000'000'000, 0), "2.0000000 +- 1e-07"},
        {counted(certain, {1, 1'000}, 1'000, 0), "4 +- 0"},
        {counted(coin_set, {32, 100'000'000'000'000}, 50'000'012'000'000, 0.01), "2.00000048 +- 2e-08"},
        {counted(coin_set, {8, 100'000'000'000'000}, 50'000'012'000'000, 0.01), "2.0000"},  // too few launches
    };
    for (const auto& [tally, text] : table) EXPECT_EQ(tally.estimand().estimate_so_far(tally), text);
}

TEST(HitsSoFar, OfTheLargestRunFitATerminal) {
    const Law quarter_circle = {{14488039784235215844u, 18446744073709551616.0}};
    const std::uint64_t done = 999'000'000'000'000'000;
    const double share = static_cast<double>(done) / 1'073'741'824'000'000'000;
    const Tally large = counted(quarter_circle, {1, done}, 785'000'000'000'000'000, 0);
    const std::string so_far = large.estimand().estimate_so_far(large);
    EXPECT_LT(bench::progress_text({done, share, 0, large.estimand().unit(), 4e8, 4.2e5, so_far}).size(), 80u);
}

// 40 launches of 264 blocks have 10,559 degrees of freedom.
TEST(HitsVarianceRatio, IsTheKnownOrTheMeasuredOne) {
    const std::pair<Tally, std::optional<bench::VarianceRatio>> table[] = {
        {counted(coin_blocks, {40, 10'560'000, 264}, 5'280'000, 0.04),
         {{.value = 0.16, .origin = "variance 0.16 of the binomial, 0.04 +- 0.0006 measured over 10,560 blocks"}}},
        {counted(coin_blocks, {1, 3'000'000}, 1'500'000, 0),
         {{.value = 0.16, .origin = "variance 0.16 of the binomial"}}},
        {counted(coin_set, {40, 3'000'000}, 1'500'000, 0.04),
         {{.value = 0.04, .origin = "variance 0.04 +- 0.009 of the binomial measured over 40 launches"}}},
        {counted(coin_set, {15, 3'000'000}, 1'500'000, 0.04), {}},  // too few to tell
        {counted(coin, {3, 3'000'000, 250}, 1'500'000, 1.02), {}},  // independent samples
    };
    for (const auto& [tally, expected] : table) {
        const auto ratio = tally.estimand().variance_ratio(tally);
        ASSERT_EQ(ratio.has_value(), expected.has_value());
        if (!ratio) continue;
        EXPECT_DOUBLE_EQ(ratio->value, expected->value);
        EXPECT_EQ(ratio->origin, expected->origin);
    }
}

TEST(HitsWarnings, SayWhereStreamsOverlapAndWherePointsAreUneven) {
    const bench::Source short_cycle = source(Soundness::demonstration, 20), sound = source(Soundness::sound, 20),
                        lagged = source(Soundness::demonstration, 20, true);  // each stream starts in another cycle
    const bench::HitsOf set = {.source = endless, .independent = Independent::launches, .most_samples = points};
    const char *overlap =
                   "the whole cycle of the generator is 1.05e+06 samples, and this run took 1.05e+06: its streams "
                   "overlap",
               *uneven = "96096 points are not a power of two: they are less evenly spread";
    const struct {
        bench::HitsOf what;
        std::uint64_t samples;
        Occasion occasion;
        std::vector<bench::Warning> warnings;
    } table[] = {
        {{short_cycle}, 1'048'577, Occasion::pooled, {{"cycle", overlap}}},
        {{short_cycle}, 1'048'576, Occasion::pooled, {}},
        {{short_cycle}, 1'048'577, Occasion::timed, {}},  // a rate needs no independent streams
        {{sound}, 1'048'577, Occasion::pooled, {}},
        {{lagged}, 1'048'577, Occasion::pooled, {}},
        {set, 96'096, Occasion::timed, {{"points", uneven}}},
        {set, 96'096, Occasion::pooled, {{"points", uneven}}},
        {set, 65'536, Occasion::pooled, {}},
        {{endless}, 96'096, Occasion::pooled, {}},
    };
    for (const auto& [what, samples, occasion, warnings] : table) {
        const auto estimand = bench::hits(what);
        Tally tally(*estimand, spec_of(coin, samples));
        tally.restore(sample_tallies::state_of(1, samples / 2));
        EXPECT_EQ(estimand->warnings(tally, occasion), warnings);
    }
}

// Three launches of ten samples in two blocks have 3 and 4, 4 and 4, and 5 and 4 hits: 24, whose square, 576, is 192 over 3
// launches and 96 over 6 blocks.
TEST(HitsCheck, RefusesWhatNoLaunchesLeadTo) {
    using State = Tally::State;
    const auto row = [](Uint128 hits, Uint128 of_units, Uint128 of_launches) {
        return [=](State& state) { state.sums.row = {hits, of_units, of_launches}; };
    };
    const auto trace = [](const std::vector<std::pair<std::uint64_t, std::uint64_t>>& marked) {
        return [=](State& state) {
            state.marked.clear();
            for (const auto& [launches, hits] : marked) state.marked.push_back({launches, {hits, 0, 0}});
        };
    };
    const char *hits = "it has more hits than samples", *squares = "its sums of squares contradict its hits",
               *each_other = "its sums of squares contradict each other",
               *in_trace = "its trace has more hits than samples",
               *extremes = "the extremes of its launches contradict each other";
    const std::pair<std::function<void(State&)>, const char*> table[] = {
        {[](State&) {}, ""},
        {[](State& state) { state = {}; }, ""},
        {row(31, 200, 400), hits},
        {row((Uint128{1} << 64) + 24, 98, 194), hits},
        {row(24, 96, 192), ""},
        {row(24, 576, 576), ""},
        {row(24, 95, 194), squares},
        {row(24, 577, 194), squares},
        {row(24, 98, 191), squares},
        {row(24, 98, 577), squares},
        {[](State& state) {
             state = {}, state.sums.row = {0, 1, 0};
         },
         squares},  // of no launch
        {row(24, 300, 300), ""},
        {row(24, 300, 299), each_other},
        {[](State& state) {
             state.most = {9, 82, 81};
         },
         each_other},
        {[](State& state) {
             state.marked = {{1, {7, 50, 49}}};
         },
         each_other},
        {[](State& state) {
             state.least = {7, 0, 48};
         },
         extremes},
        {[](State& state) {
             state.most = {9, 41, 82};
         },
         extremes},
        {[](State& state) {
             state.most = {11, 61, 121};
         },
         "a launch has more hits than samples"},
        {trace({{1, 7}, {2, 15}}), ""},
        {trace({{1, 11}}), in_trace},
        {trace({{1, 7}, {2, 18}}), in_trace},  // 11 hits of 10 samples
        {trace({{2, 13}}), in_trace},          // 11 of the last 10
    };
    for (const auto& [change, contradiction] : table) {
        Tally tally(estimand_of(coin), spec_of(coin, 10, 2));
        for (const Count first : {3, 4, 5}) tally.add(std::vector<Count>{first, 4});
        State state = tally.state();
        change(state);
        tally.restore(state);
        std::string told;
        try {
            tally.estimand().check(tally);
        } catch (const std::invalid_argument& error) {
            told = error.what();
        }
        EXPECT_EQ(told, contradiction);
    }
}

constexpr unsigned streams = 6 * 32;

// Each stream has as many hits as its number and the launch's say; a lane of 32 of them has no other.
std::uint64_t hits_of_stream(const bench::StreamId& stream, unsigned iters) {
    return (stream.thread * 31 + stream.launch * 17 + stream.seed) % 97 % (iters + 1);
}

std::uint64_t hits_of_launch(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples) {
    return (seed * 5 + launch * 3) % 1000 + samples / 2;
}

bench::LaunchSpec spec_of_streams(std::uint64_t counts) {
    return {.seed = 4, .shape = {6, 32}, .iters = 1000, .streams = streams, .published = counts};
}

TEST(HitsReplay, FindsAWrongCountAtAnySize) {
    bench::Source source = endless;
    source.replay = hits_of_stream;
    const auto estimand = bench::hits({.source = source});
    for (const auto& [counts, samples] : {std::pair(1u, 40u), {6u, 1000u}, {12u, 5000u}}) {
        const auto replay = estimand->replay(spec_of_streams(counts), nullptr, samples);
        ASSERT_TRUE(replay);
        EXPECT_EQ(replay->parts, std::min(counts, 6u));  // a block has two counts in the third case
        EXPECT_EQ(replay->spec.iters, std::min(samples, 1000u));
        EXPECT_EQ(replay->spec.work, std::uint64_t{streams} * replay->spec.iters);
        std::vector<Count> right(counts);
        for (unsigned t = 0; t < streams; t++) {
            right[t * counts / streams] += hits_of_stream({4, 9, streams, t}, replay->spec.iters);
        }
        for (std::uint64_t wrong = 0; wrong <= counts; wrong++) {  // the last one: none
            auto published = right;
            if (wrong < counts) published[wrong]++;
            for (std::size_t part = 0; part < replay->parts; part++) {
                const bool is_here = wrong < counts && wrong * replay->parts / counts == part;
                EXPECT_EQ(bench::difference(*replay, 9, part, published).empty(), !is_here) << part << wrong;
            }
        }
        right[0] = bench::unwritten;
        EXPECT_NE(bench::difference(*replay, 9, 0, right).find("not written"), std::string::npos);
    }
}

// Long launches by vector code if there is any, short ones by plain code.
TEST(HitsReplay, OfALongLaunchIsByVectorCode) {
    bench::Source source = endless;
    source.replay = hits_of_stream;
    source.replay_streams = [](const bench::StreamId& first, unsigned n, unsigned) { return first.thread + n; };
    const auto estimand = bench::hits({.source = source});
    const auto spec = spec_of_streams(6);
    EXPECT_EQ(estimand->replay(spec, nullptr, 1000)->sums(1, 64, 32)[0], 64 + 32);
    EXPECT_EQ(estimand->replay(spec, nullptr, 40)->sums(1, 64, 1)[0], hits_of_stream({4, 1, streams, 64}, 40));
}

TEST(HitsReplay, OfALaunchAsAWholeIsOfItsSum) {
    bench::Source source = endless;
    EXPECT_FALSE(bench::hits({.source = source})->replay(spec_of_streams(1), nullptr, 1)) << "without a replay";
    source.replay_launch = hits_of_launch;
    const auto estimand = bench::hits({.source = source});
    const auto replay = estimand->replay(spec_of_streams(1), nullptr, 3);
    ASSERT_TRUE(replay);
    const Count hits = hits_of_launch(4, 9, std::uint64_t{streams} * 3);
    EXPECT_EQ(bench::difference(*replay, 9, 0, std::vector<Count>{hits}), "");
    EXPECT_NE(bench::difference(*replay, 9, 0, std::vector<Count>{hits - 1}), "");
}

}  // namespace
