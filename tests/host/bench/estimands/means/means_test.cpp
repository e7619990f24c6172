// The estimand of means, on a call option whose price and moments are known: the payoff is max(x, 0) of a normal x with
// mean 1 and variance 1, and x itself is its control.
#include "bench/estimands/means/means.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/options/shared/published_sums.cuh"

namespace {

using bench::Count;
using bench::Independent;
using bench::LaunchSpec;
using bench::Tally;

constexpr unsigned blocks = 16, of_block = 1024;
constexpr int payoff_bits = 14, control_bits = 14;
using Sums = options::PublishedSums<payoff_bits, control_bits>;

const double density = std::exp(-0.5) / std::sqrt(2 * std::acos(-1.0));  // of x at 0
const double share = 0.5 * std::erfc(-1 / std::sqrt(2.0));               // of positive payoffs
const double price = share + density;
const double second = 2 * share + density;     // E payoff^2
const double third = 4 * share + 3 * density;  // by parts: E x^n = E x^(n-1) + (n-1) E x^(n-2)
const double fourth = third + 3 * second;
const double variance = second - price * price;
const double central_fourth = fourth - 4 * price * third + 6 * price * price * second - 3 * std::pow(price, 4);

bench::MeansOf call(unsigned controls = 0, Independent independent = Independent::samples) {
    return {.quantity = "price",
            .number = "paths",
            .unit_one = "path-step",
            .unit_many = "path-steps",
            .steps = 4,
            .generator = "mt19937",
            .soundness = bench::Soundness::sound,
            .independent = independent,
            .statistics =
                {{"payoff", payoff_bits, {price}, bench::Expected{variance}, central_fourth / variance / variance},
                 {"x", control_bits, {1}, bench::Expected{1}, 3}},
            .controls = controls,
            .positive = bench::Expected{share}};
}

LaunchSpec spec_of(const bench::Estimand& estimand) {
    LaunchSpec spec = {.seed = 1, .shape = {blocks, of_block}, .iters = 1, .streams = blocks * of_block};
    spec.published = blocks * Sums::columns;
    spec.work = estimand.work_of_launch(spec);
    return spec;
}

/// What a launch publishes. `payoff` and `x` may be changed by a fault.
using Fault = std::function<void(float& payoff, float& x)>;

std::vector<Count> launch(unsigned index, const Fault& fault = {}) {
    std::mt19937 words(index + 1);
    std::normal_distribution<double> normal(1, 1);
    std::vector<Count> counts(blocks * Sums::columns);
    for (unsigned block = 0; block < blocks; block++) {
        Sums sums;
        for (unsigned i = 0; i < of_block; i++) {
            float x = static_cast<float>(normal(words));
            float payoff = std::max(x, 0.0f);
            if (fault) fault(payoff, x);
            sums.add(payoff, x);
        }
        for (unsigned column = 0; column < Sums::columns; column++)
            counts[column * blocks + block] = sums.column(column);
    }
    return counts;
}

Tally run(const bench::Estimand& estimand, unsigned launches, const Fault& fault = {}) {
    Tally tally(estimand, spec_of(estimand));
    for (unsigned i = 0; i < launches; i++) tally.add(launch(i, fault));
    return tally;
}

/// Asserts that the verdict on such launches fails, in a line with this text.
void expect_refused(const std::function<Tally(const bench::Estimand&)>& launches, const std::string& text,
                    const bench::MeansOf& what = call()) {
    const auto estimand = bench::means(what);
    try {
        const Tally tally = launches(*estimand);
        estimand->judge(tally);
        ADD_FAILURE() << "passed instead of: " << text;
    } catch (const bench::VerdictError& error) {
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
}

void expect_refused(const Fault& fault, const std::string& text) {
    expect_refused([&](const bench::Estimand& estimand) { return run(estimand, 20, fault); }, text);
}

TEST(Means, TheMeanAndTheVarianceAreThoseOfTheNumbers) {
    const auto estimand = bench::means(call());
    std::vector<double> payoffs;
    const Tally tally = run(*estimand, 20, [&](float& payoff, float&) { payoffs.push_back(payoff); });
    const auto n = static_cast<double>(payoffs.size());
    double sum = 0, squares = 0;
    for (const double payoff : payoffs) sum += payoff;
    for (const double payoff : payoffs) squares += (payoff - sum / n) * (payoff - sum / n);
    const auto outcome = estimand->outcome(tally);
    EXPECT_EQ(outcome["numbers"], n);
    EXPECT_NEAR(outcome["estimate"].get<double>(), sum / n, 1e-6);
    EXPECT_DOUBLE_EQ(outcome["sd"].get<double>(), std::sqrt(variance / n));
    EXPECT_NEAR(outcome["sigma"].get<double>(), (sum / n - price) / std::sqrt(variance / n), 1e-3);
    EXPECT_NEAR(outcome["statistics"][0]["variance"].get<double>(), squares / (n - 1), 1e-6);
    EXPECT_LT(std::abs(outcome["statistics"][0]["variance_sigma"].get<double>()), 5);
    EXPECT_EQ(tally.work_done(), 4 * n);
    estimand->judge(tally);
}

// The regression on one control in closed form: the residual variance is that of the payoff times 1 - correlation^2, and
// Cov(max(x, 0), x) is the probability that x is positive (Stein's lemma).
TEST(Means, AControlReducesTheVarianceByItsCorrelation) {
    const auto estimand = bench::means(call(1));
    const Tally tally = run(*estimand, 50);
    const auto ratio = estimand->variance_ratio(tally);
    ASSERT_TRUE(ratio);
    EXPECT_NEAR(ratio->value, 1 - share * share / variance, 0.01);
    const auto outcome = estimand->outcome(tally);
    EXPECT_LT(std::abs(outcome["sigma"].get<double>()), 5);
    EXPECT_NE(outcome["estimate"], outcome["plain"]);
    estimand->judge(tally);
}

TEST(Means, TwoControlsThatDetermineThePayoffLeaveNoVariance) {
    using Three = options::PublishedSums<14, 14, 14>;
    bench::MeansOf what = call(2);
    what.statistics = {{"payoff", 14, {3}, bench::Expected{1.25}}, {"x", 14, {1}}, {"y", 14, {1}}};
    what.positive.reset();
    const auto estimand = bench::means(what);
    LaunchSpec spec = {.shape = {1, 1024}, .iters = 1, .streams = 1024, .published = Three::columns};
    spec.work = estimand->work_of_launch(spec);
    std::mt19937 words;
    std::normal_distribution<double> normal(1, 0.5);
    Three sums;
    for (int i = 0; i < 1024; i++) {
        const auto x = std::ldexp(std::round(std::ldexp(normal(words), 10)), -10);  // payoff lies on the grid too
        const auto y = std::ldexp(std::round(std::ldexp(normal(words), 10)), -10);
        sums.add(static_cast<float>(x + 2 * y), static_cast<float>(x), static_cast<float>(y));
    }
    std::vector<Count> counts;
    for (unsigned column = 0; column < Three::columns; column++) counts.push_back(sums.column(column));
    Tally tally(*estimand, spec);
    tally.add(counts);
    const auto outcome = estimand->outcome(tally);
    EXPECT_NEAR(outcome["estimate"].get<double>(), 3, 1e-9);
    EXPECT_NEAR(outcome["sd"].get<double>(), 0, 1e-6);
}

TEST(Means, AKnownErrorOrBiasIsAllowedFor) {
    const struct {
        bench::Expected mean, bias;
        bool passes;
    } table[] = {
        {{price + 0.01}, {0}, false},        {{price + 0.01, 0.01}, {0}, true},  // the reference has an error
        {{price}, {-0.01, 0, 0.001}, false}, {{price}, {-0.01, 0, 0.01}, true},  // the arithmetic has, but once
        {{price + 0.01}, {-0.01}, true},                                         // a bias belongs to the expectation
    };
    for (const auto& [mean, bias, passes] : table) {
        bench::MeansOf what = call();
        what.statistics[0].mean = mean;
        what.bias = bias;
        if (passes) {
            const auto estimand = bench::means(what);
            EXPECT_NO_THROW(estimand->judge(run(*estimand, 50)));
        } else {
            expect_refused([](const bench::Estimand& e) { return run(e, 50); }, "mean of payoff", what);
        }
    }
}

TEST(Means, PlantedFaultsAreFound) {
    expect_refused([](float& payoff, float&) { payoff += 0.02f; }, "the mean of payoff");
    expect_refused([](float& payoff,
                      float&) { payoff = static_cast<float>(price) + 1.05f * (payoff - static_cast<float>(price)); },
                   "the variance of payoff");
    expect_refused([](float&, float& x) { x += 0.02f; }, "the mean of x");
    expect_refused([](float& payoff, float&) { payoff = payoff == 0 ? 1e-9f : payoff; }, "positive");
    expect_refused([](float& payoff, float&) { payoff = std::numeric_limits<float>::quiet_NaN(); }, "bad");
    expect_refused([](float&, float& x) { x = std::numeric_limits<float>::infinity(); }, "bad");
    expect_refused([](float& payoff, float&) { payoff = 256; }, "bad");  // the end of the grid
}

TEST(Means, ASumThatWasNeverWrittenIsFound) {
    const auto estimand = bench::means(call());
    for (unsigned place = 0; place < blocks * Sums::columns; place++) {
        auto counts = launch(0);
        counts[place] = bench::unwritten;
        EXPECT_THROW(Tally(*estimand, spec_of(*estimand)).add(counts), bench::VerdictError) << place;
    }
}

TEST(Means, ALaunchThatIsUnlikeTheOthersOrTooMuchAlikeIsFound) {
    const Count no_values = Count{of_block} << 22;
    const std::pair<std::function<void(std::vector<Count>&)>, const char*> table[] = {
        {[](auto& counts) { counts[3] -= 32; }, "block 3 published 992 of 1024 paths"},  // a dropped warp
        {[=](auto& counts) { counts[3 * blocks + 5] = no_values; }, "block 5: a mean payoff"},
        {[=](auto& counts) { counts[4 * blocks + 6] = no_values; }, "block 6: a mean x"},
        {[](auto& counts) { counts = launch(3); }, "same sums"},
    };
    for (const auto& [change, text] : table) {
        const auto with_last_launch = [change = change](const bench::Estimand& estimand) {
            Tally tally = run(estimand, 20);
            auto counts = launch(20);
            change(counts);
            tally.add(counts);
            return tally;
        };
        expect_refused(with_last_launch, text);
    }
    // Of 200 launches one whose sum is 8 sd off: the mean of all is off by 0.6 sd, their variance by a third, or 3.2 sd.
    const auto one_far_out = [](const bench::Estimand& estimand) {
        Tally tally = run(estimand, 199);
        const auto off = static_cast<float>(8 * std::sqrt(variance / (blocks * of_block)));
        tally.add(launch(199, [off](float& payoff, float&) { payoff += off; }));
        return tally;
    };
    expect_refused(one_far_out, "far outside the others");
    const auto half_repeated = [](const bench::Estimand& estimand) {
        Tally tally(estimand, spec_of(estimand));
        for (unsigned k = 0; k < 200; k++) {
            auto counts = launch(k);  // every second block repeats the one before
            for (unsigned i = 0; i < counts.size(); i++) counts[i] = counts[i / 2 * 2];
            tally.add(counts);
        }
        return tally;
    };
    expect_refused(half_repeated, "over 200 launches");
}

/// No fault: adds the mean payoff of each `of_unit` numbers to a list.
Fault adding_means(std::vector<double>& means, unsigned of_unit) {
    return [&means, of_unit, count = 0u](const float& payoff, const float&) mutable {
        if (count++ % of_unit == 0) means.push_back(0);
        means.back() += static_cast<double>(payoff) / of_unit;
    };
}

/// The standard deviation of the mean of independent numbers, from how much they vary.
double sd_of_mean(const std::vector<double>& numbers) {
    const auto n = static_cast<double>(numbers.size());
    double mean = 0, squares = 0;
    for (const double number : numbers) mean += number / n;
    for (const double number : numbers) squares += (number - mean) * (number - mean);
    return std::sqrt(squares / (n - 1) / n);
}

TEST(Means, TheErrorIsThatOfTheIndependentUnits) {
    for (const auto& [independent, of_unit, least] :
         {std::tuple(Independent::launches, blocks * of_block, 16u), {Independent::counts, of_block, 1u}}) {
        const auto estimand = bench::means(call(0, independent));
        EXPECT_EQ(estimand->least_launches(), least);
        EXPECT_EQ(estimand->outcome(run(*estimand, 15))["sd"].is_null(), least > 15);
        std::vector<double> means;
        const Tally tally = run(*estimand, 40, adding_means(means, of_unit));
        const double sd = estimand->outcome(tally)["sd"], alone = std::sqrt(variance / (40.0 * blocks * of_block));
        EXPECT_NEAR(sd / sd_of_mean(means), 1, 1e-3);
        EXPECT_NEAR(estimand->variance_ratio(tally)->value, sd * sd / alone / alone, 1e-9);
        estimand->judge(tally);
    }
}

bench::MeansOf constant() {
    bench::MeansOf what = call();
    what.statistics = {{"payoff", payoff_bits, {1.5}}, {"x", control_bits, {0.25}}};
    what.positive.reset();
    what.constant = true;
    return what;
}

TEST(Means, ConstantNumbersMustAllBeRight) {
    const auto estimand = bench::means(constant());
    estimand->judge(run(*estimand, 3, [](float& payoff, float& x) { payoff = 1.5f, x = 0.25f; }));
    const auto refused = [](const Fault& fault, const char* text) {
        expect_refused([&](const bench::Estimand& e) { return run(e, 3, fault); }, text, constant());
    };
    refused([](float& payoff, float& x) { payoff = 1.501f, x = 0.25f; }, "on constant numbers, expected 1.5");
    refused([n = 0](float& payoff, float& x) mutable { payoff = n++ % 2 == 0 ? 1.4f : 1.6f, x = 0.25f; },
            "from path to path");
}

TEST(Means, ImpossibleLaunchesAreRefused) {
    const auto estimand = bench::means(call());
    LaunchSpec spec = spec_of(*estimand);
    spec.iters = 1024;  // 2^20 paths a block
    EXPECT_THROW(estimand->work_of_launch(spec), bench::UsageError);
    spec.iters = 512;
    EXPECT_EQ(estimand->work_of_launch(spec), 4ull * blocks * of_block * 512);
    spec.shape.blocks = 540'000'000;
    spec.streams = std::uint64_t{spec.shape.blocks} * of_block;
    spec.published = std::uint64_t{spec.shape.blocks} * Sums::columns;  // 4.3 * 10^9 sums
    EXPECT_THROW(estimand->work_of_launch(spec), bench::UsageError);
    spec = spec_of(*estimand);
    bench::MeansOf points = call(0, Independent::launches);
    points.most_numbers = 4096;
    spec.iters = 1;
    EXPECT_THROW(bench::means(points)->work_of_launch(spec), bench::UsageError);
}

TEST(Means, ACheckpointThatContradictsItselfIsRefused) {
    const auto estimand = bench::means(call());
    const Tally tally = run(*estimand, 5);
    estimand->check(tally);
    for (std::size_t column = 0; column < estimand->width(); column++) {
        Tally::State state = tally.state();
        state.sums.row[column] = column < 3 ? state.sums.row[column] + state.sums.row[0] : 1;
        Tally changed = tally;
        changed.restore(state);
        const bool is_off_diagonal = column == 6;  // nothing contradicts a sum of products of two statistics
        if (is_off_diagonal) continue;
        EXPECT_THROW(estimand->check(changed), std::invalid_argument) << column;
    }
}

TEST(Means, ControlsNeedIndependentNumbers) {
    EXPECT_THROW(bench::means(call(1, Independent::launches)), std::logic_error);
    EXPECT_THROW(bench::means(call(2)), std::logic_error);
}

}  // namespace
