// The lookback option: what is known of it, and the float arithmetic of its steps against double.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/means/means.hpp"
#include "kernels/options/lookback/shared/bridge_path.cuh"
#include "kernels/options/lookback/shared/lagged_path.cuh"
#include "kernels/options/lookback/shared/mrg_paths.cuh"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/option.hpp"
#include "kernels/options/lookback/shared/replayed_path.cuh"
#include "kernels/options/lookback/shared/shared_path.cuh"
#include "kernels/options/lookback/shared/twin_path.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/sobol_dimensions.cuh"

namespace {

using bench::Count;
using bench::StreamId;
using lookback::Path;
using lookback::PathValues;

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

/// Simpson's rule.
template <typename Function>
double integral(double from, double to, int intervals, Function&& f) {
    const double h = (to - from) / intervals;
    double sum = f(from) + f(to);
    for (int i = 1; i < intervals; i++) sum += (i % 2 == 0 ? 2 : 4) * f(from + i * h);
    return sum * h / 3;
}

Path path_of(std::initializer_list<double> normals) {
    return lookback::path(static_cast<unsigned>(normals.size()),
                          [next = normals.begin()]() mutable { return *next++; });
}

// Expected values were computed in Python, from the definition of the option and not from this code.

TEST(Lookback, MomentsOfTheReturnAreExact) {
    const struct {
        unsigned steps;
        double variance, fourth;
    } known[] = {{1, 0.00095367431640625, 2.7284841053e-6}, {2, 0.0018851757049561, 1.1365099624e-5},
                 {8, 0.0070458767539001, 1.6800809318e-4},  {15, 0.0122646022633108, 5.1873934295e-4},
                 {64, 0.0353538049266360, 4.4394448820e-3}, {256, 0.0851983743076635, 2.3533256920e-2}};
    for (const auto& [steps, variance, fourth] : known) {
        const auto moments = lookback::moments_of_return(steps);
        EXPECT_NEAR(moments.variance, variance, 1e-13) << steps;
        EXPECT_NEAR(moments.fourth, fourth, 1e-10 * fourth) << steps;
        EXPECT_NEAR(moments.variance - lookback::moments_of_return(steps - 1).variance, lookback::mean_variance(steps),
                    1e-16);
    }
}

TEST(Lookback, PriceWithConstantVolatilityIsASumOfPuts) {
    const struct {
        unsigned steps;
        double volatility, price;
    } known[] = {{1, 1.0 / 64, 0.611284649018},  {8, 1.0 / 64, 9.743629767269},   {15, 1.0 / 64, 23.848131898495},
                 {64, 1.0 / 64, 192.780579813},  {256, 1.0 / 64, 1395.340889308}, {8, 1.0 / 32, 19.309680692725},
                 {15, 1.0 / 32, 47.158905522137}};
    for (const auto& [steps, volatility, price] : known) {
        const double variance = volatility * volatility;
        EXPECT_NEAR(lookback::price_with_variances(steps, [&](unsigned) { return variance; }), price, 1e-9) << steps;
    }
}

TEST(Lookback, PriceOfTheTwinIsASumOfPuts) {
    EXPECT_NEAR(lookback::twin_price(8), 18.066390815, 1e-9);
    EXPECT_NEAR(lookback::twin_price(15), 41.928997245, 1e-9);
    EXPECT_NEAR(lookback::twin_price(64), 258.315068, 1e-6);
    EXPECT_NEAR(lookback::twin_price(256), 1454.756212, 1e-6);
}

TEST(Lookback, OneDayHasItsExactPrice) {
    const double zero = -lookback::drift / std::sqrt(lookback::first_variance);  // beyond which nothing is paid
    const double price = integral(-12, zero, 4000, [](double z) { return density(z) * path_of({z}).payoff; });
    EXPECT_NEAR(price, 1.2025957483936, 1e-11);
    EXPECT_EQ(path_of({zero + 1e-9}).payoff, 0);
}

TEST(Lookback, TwoDaysHaveTheirExactPrice) {
    // The payoff of the second day has a kink where s_2 is s_1, and one where it is s_0.
    const auto second_day = [](double z1) {
        const double shock = z1 * std::sqrt(lookback::first_variance);
        const double deviation = std::sqrt(lookback::next_variance(lookback::first_variance, shock * shock));
        const double kink_of_1 = -lookback::drift / deviation, kink_of_0 = (-2 * lookback::drift - shock) / deviation;
        const auto paid = [&](double z2) { return density(z2) * path_of({z1, z2}).payoff; };
        const double low = std::min(kink_of_0, kink_of_1), high = std::max(kink_of_0, kink_of_1);
        return integral(std::min(low, -8.0) - 2, low, 600, paid) + integral(low, high, 400, paid);
    };
    const double price = integral(-10, 10, 400, [&](double z1) { return density(z1) * second_day(z1); });
    EXPECT_NEAR(price, 2.848885929590, 1e-8);
}

TEST(Lookback, ConstantNormalsHaveAKnownPayoff) {
    const auto payoff = [](unsigned steps) {
        return lookback::path(steps, [] { return lookback::constant_normal; }).payoff;
    };
    EXPECT_NEAR(payoff(8), 10.774714315, 1e-9);
    EXPECT_NEAR(payoff(15), 29.415285496, 1e-9);
    EXPECT_NEAR(payoff(64), 241.787728417, 1e-8);
    EXPECT_NEAR(payoff(256), 2747.085895926, 1e-8);
    EXPECT_EQ(lookback::path(8, [] { return 1.0; }).payoff, 0);
    EXPECT_NEAR(means_of(*bench::means(lookback::constant_facts(8))).statistics[0].mean.value, 10.774714315, 1e-9);
}

TEST(Lookback, NoNumberOfDaysWithoutAReference) {
    EXPECT_THROW(lookback::reference_of(9), std::logic_error);
    EXPECT_THROW(lookback::facts_of({.steps = 2, .generator = "", .soundness = bench::Soundness::sound}),
                 std::logic_error);
}

/// A path of a step in float.
struct Values {
    double payoff, twin, log_return;
};

/// Errors of a step's paths, by which they differ from those of the same words in double.
struct Errors {
    unsigned paths = 0;
    double payoff = 0, payoff_squared = 0, twin = 0, log_return = 0, price = 0;

    void add(const Values& values, const Path& exact, bool with_twin) {
        const double error = values.payoff - exact.payoff;
        paths++;
        payoff += error;
        payoff_squared += error * error;
        twin += with_twin ? values.twin - exact.twin : 0;
        log_return += values.log_return - exact.log_return;
        price += exact.payoff;
    }

    /// Mean errors are within what the verdict allows for. The root mean square of a payoff's error is small too.
    void expect_small(unsigned steps) const {
        const double reference = lookback::reference_of(steps).price.value;
        EXPECT_LT(std::abs(payoff / paths), lookback::usual_float_error * reference);
        EXPECT_LT(std::abs(twin / paths), lookback::usual_float_error * reference);
        EXPECT_LT(std::sqrt(payoff_squared / paths), 2e-5 * reference);
        EXPECT_LT(std::abs(log_return / paths), lookback::float_error_of_return(steps));
        EXPECT_NEAR(price / paths, reference, 0.02 * reference) << "the words are not random";
    }
};

constexpr StreamId id = {.seed = 1234, .launch = 2, .threads = 10, .thread = 3};

/// Compares the paths of the normals that `normals_of` makes again with those that `next` gives in float, in the same
/// order.
template <typename Next>
void compare(unsigned steps, unsigned paths, bool with_twin, rng::NormalsOf normals_of, Next&& next) {
    Errors errors;
    normals_of(steps, id, paths,
               [&](const double* z) { errors.add(next(), lookback::path(steps, [&] { return *z++; }), with_twin); });
    EXPECT_EQ(errors.paths, paths);
    errors.expect_small(steps);
}

Values values_of(const PathValues& path) { return {path.payoff, 0, path.log_return}; }

template <unsigned steps>
void compare_daily_path(unsigned paths) {
    rng::HybridTauswortheDraws draw(id);
    float prices[steps];
    compare(steps, paths, false, lookback::normals_of_tausworthe, [&] {
        const auto next_pair = [&] { return lookback::next_normal_pair(draw); };
        return values_of(lookback::shared_path<steps>(prices, 1, next_pair));
    });
}

TEST(Lookback, DailyPathAgreesWithDouble) {
    compare_daily_path<8>(1 << 18);
    compare_daily_path<15>(1 << 17);
    compare_daily_path<64>(1 << 15);
}

/// Floats of all paths that for_paths_of_mrg walks.
template <typename PathOf>
std::vector<Values> paths_of_mrg(unsigned paths, PathOf&& path_of) {
    rng::MrgDraws draw(id);
    std::vector<Values> all;
    lookback::for_paths_of_mrg<8>(paths, draw, [&] { all.push_back(path_of(draw)); });
    return all;
}

TEST(Lookback, PathWithOneRootAgreesWithDouble) {
    const unsigned paths = (1 << 20) + 1;  // two beyond the groups of three
    const auto all = paths_of_mrg(paths, [](auto& draw) { return values_of(lookback::one_root_path<8>(draw)); });
    auto next = all.begin();
    compare(8, paths, false, lookback::normals_of_mrg, [&] { return *next++; });
}

TEST(Lookback, LaggedPayoffsHaveTheSumsOfPathsWithOneRoot) {
    for (const unsigned paths : {0u, 1u, 3u, 35u, 1000u}) {
        rng::MrgDraws draw(id), same_draw(id);
        lookback::Sums<8> sums, expected;
        lookback::KeptPath<8> kept;
        const auto add = [](lookback::Sums<8>& to, const PathValues& path) { to.add(path.payoff, path.log_return); };
        lookback::for_paths_of_mrg<8>(paths, draw, [&] { add(sums, lookback::next_path(draw, &kept)); });
        add(sums, lookback::values_of(kept));
        sums.take_back_zeros();
        lookback::for_paths_of_mrg<8>(paths, same_draw, [&] { add(expected, lookback::one_root_path<8>(same_draw)); });
        for (unsigned i = 0; i < lookback::Sums<8>::columns; i++) EXPECT_EQ(sums.column(i), expected.column(i)) << i;
        EXPECT_EQ(draw(), same_draw());
    }
}

TEST(Lookback, DailyPathOfMrgWordsAgreesWithDouble) {
    const unsigned paths = 1 << 18;
    float prices[8];
    const auto all = paths_of_mrg(paths, [&](auto& draw) {
        return values_of(lookback::shared_path<8>(prices, 1, [&] { return lookback::next_normal_pair(draw); }));
    });
    auto next = all.begin();
    compare(8, paths, false, lookback::whole_circle_normals_of_mrg, [&] { return *next++; });
}

TEST(Lookback, PathWithTwinAgreesWithDouble) {
    const unsigned paths = 1 << 18;
    const auto all = paths_of_mrg(paths, [](auto& draw) {
        const auto path = lookback::twin_path<8>(draw);
        return Values{path.payoff, path.twin, path.log_return};
    });
    auto next = all.begin();
    compare(8, paths, true, lookback::normals_of_mrg, [&] { return *next++; });
}

TEST(Lookback, BridgedPathAgreesWithDouble) {
    constexpr auto directions = rng::joe_kuo_directions<8>();
    const auto shift = rng::sobol_shift_of<8>(id.seed, id.launch);
    const unsigned paths = 1 << 17;
    unsigned n = static_cast<unsigned>(id.thread) * paths;
    compare(8, paths, false, lookback::normals_of_bridges, [&] {
        auto point = rng::sobol_point_of(directions, n++);
        point ^= shift;
        return values_of(lookback::bridge_path(point));
    });
}

TEST(Lookback, ReplayedPathAgreesWithDouble) {
    const auto stream = rng::subsequence_of(id);
    rng::PhiloxCounter counter = {{0, 0, static_cast<unsigned>(stream), static_cast<unsigned>(stream >> 32)}};
    const auto keys = rng::philox_keys<lookback::philox_rounds>({{static_cast<unsigned>(id.seed), 0}});
    compare(256, 1 << 13, false, lookback::normals_of_philox, [&] {
        const auto path = lookback::replayed_path<256>(counter, keys);
        counter.word[0] += 64;
        return values_of(path);
    });
}

TEST(Lookback, WordsAtTheEndsGiveFinitePaths) {
    for (const unsigned word : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        const auto draw = [word] { return word; };
        for (const PathValues& path : {lookback::one_root_path<8>(draw),
                                       lookback::bridge_path({{word, word, word, word, word, word, word, word}})}) {
            EXPECT_TRUE(std::isfinite(path.payoff) && std::isfinite(path.log_return)) << word;
        }
        EXPECT_TRUE(std::isfinite(lookback::twin_path<8>(draw).twin)) << word;
    }
}

TEST(Lookback, ADifferenceOfPricesBeyondTheGridMakesAPathBad) {
    float growth[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    growth[3] = 45;  // 4,500 - 100 is more than 4,096
    lookback::Sums<8> sums;
    sums.add(lookback::payoff_of_growth<8>(growth), 0.0f);
    EXPECT_EQ(sums.column(1), 1u);
    growth[3] = 40;
    sums.add(lookback::payoff_of_growth<8>(growth), 0.0f);
    EXPECT_EQ(sums.column(1), 1u);
}

// Planted faults: a launch of l1's paths, with and without them, before the verdict.

constexpr unsigned days = 8, blocks = 16, threads = 512, iters = 4;
using Sums = lookback::Sums<days>;

/// Where thread i of a block keeps price t.
using Place = unsigned (*)(unsigned i, unsigned t);
unsigned right_place(unsigned i, unsigned t) { return t * threads + i; }
unsigned place_in_the_chapter(unsigned i, unsigned t) { return i * days + t * threads; }

float payoff_without_maximum(const std::array<float, days>& prices, float last) {
    float sum = 0;
    for (const float price : prices) sum += price - last;
    return sum;
}
float payoff(const std::array<float, days>& prices, float last) {
    return lookback::payoff<days>([&](unsigned t) { return prices[t]; }, last);
}

std::vector<Count> launch(unsigned index, Place place, float (*payoff_of)(const std::array<float, days>&, float)) {
    std::vector<Count> counts(Sums::columns * blocks);
    for (unsigned block = 0; block < blocks; block++) {
        std::vector<rng::HybridTauswortheDraws> draws;
        for (unsigned i = 0; i < threads; i++) {
            draws.emplace_back(StreamId{1, index, blocks * threads, block * threads + i});
        }
        Sums sums;
        for (unsigned n = 0; n < iters; n++) {
            std::vector<float> prices(2 * threads * days), last(threads);
            for (unsigned i = 0; i < threads; i++) {
                const auto next_pair = [&] { return lookback::next_normal_pair(draws[i]); };
                last[i] =
                    lookback::walk<days>(next_pair, [&](unsigned t, float price) { prices[place(i, t)] = price; });
            }
            for (unsigned i = 0; i < threads; i++) {
                std::array<float, days> kept = {};
                for (unsigned t = 0; t < days; t++) kept[t] = prices[place(i, t)];
                sums.add(payoff_of(kept, last[i]), lookback::log_return<days>(last[i]));
            }
        }
        for (unsigned column = 0; column < Sums::columns; column++) {
            counts[column * blocks + block] = sums.column(column);
        }
    }
    return counts;
}

void judge(Place place, float (*payoff_of)(const std::array<float, days>&, float)) {
    const auto estimand = bench::means(
        lookback::facts_of({.steps = days, .generator = "", .soundness = bench::Soundness::sound_in_24_bits}));
    bench::LaunchSpec spec = {.seed = 1, .shape = {blocks, threads}, .iters = iters, .streams = blocks * threads};
    spec.published = lookback::counts_of<Sums>(spec.shape);
    spec.work = estimand->work_of_launch(spec);
    bench::Tally tally(*estimand, spec);
    for (unsigned index = 0; index < 8; index++) tally.add(launch(index, place, payoff_of));
    estimand->judge(tally);
}

TEST(LookbackFaults, PathsWithoutAFaultPass) { EXPECT_NO_THROW(judge(right_place, payoff)); }

TEST(LookbackFaults, AMissingMaximumFails) {
    EXPECT_THROW(judge(right_place, payoff_without_maximum), bench::VerdictError);
}

TEST(LookbackFaults, ThreadsThatOverlapAsInTheChapterFail) {
    EXPECT_THROW(judge(place_in_the_chapter, payoff), bench::VerdictError);
}

}  // namespace
