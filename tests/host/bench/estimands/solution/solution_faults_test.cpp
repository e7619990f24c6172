// Planted faults of random walks. The verdict must find each of them in one launch (--profile), in the few of a timed run
// and in many that are pooled, and accept runs without a fault.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/solution/solution.hpp"
#include "tests/host/bench/estimands/solution/sample_solution.hpp"

namespace {

using bench::Count;
using bench::SolutionOf;
using bench::Tally;
using bench::TallyType;
using sample_solution::End;
using sample_solution::launch;

/// The counts of launch `index` of a run.
using Launches = std::function<std::vector<Count>(std::uint64_t index)>;
/// Changes what a launch publishes.
using Change = std::function<void(std::vector<Count>& counts)>;

const std::vector<unsigned> runs = {1, 10, 24};

/// The launches of a run with this number.
Launches launches_of(End end, std::uint64_t run, const sample_solution::Walked& walked = {}) {
    return [=](std::uint64_t index) { return launch(end, 1'000 * run + index, walked); };
}

const Launches fixed = launches_of(End::after_three, 1), at_random = launches_of(End::at_random, 1);
const Launches doubles = [](std::uint64_t k) { return sample_solution::as_doubles(launch(End::after_three, k)); };

Launches changed(const Launches& launches, const Change& change) {
    return [=](std::uint64_t index) {
        std::vector<Count> counts = launches(index);
        change(counts);
        return counts;
    };
}

Launches with_one_changed(const Launches& launches, std::uint64_t which, const Change& change) {
    return [=](std::uint64_t index) {
        std::vector<Count> counts = launches(index);
        if (index == which) change(counts);
        return counts;
    };
}

/// The line of the verdict's error; empty if it passes.
std::string refusal(const bench::Estimand& estimand, const Launches& launches, unsigned n) {
    try {
        Tally tally(estimand, sample_solution::spec_of(estimand));
        for (unsigned k = 0; k < n; k++) tally.add(launches(k));
        estimand.judge(tally);
        return "";
    } catch (const bench::VerdictError& error) {
        return error.what();
    }
}

using Walks = std::shared_ptr<const bench::Estimand>;

Walks changed(SolutionOf what, const std::function<void(SolutionOf&)>& change) {
    change(what);
    return bench::solution(what);
}

const SolutionOf facts = sample_solution::facts(), random_facts = sample_solution::facts(End::at_random),
                 double_facts = sample_solution::facts(End::after_three, TallyType::doubles);
const Walks walks = bench::solution(facts), random_walks = bench::solution(random_facts),
            walks_in_doubles = bench::solution(double_facts);
const Walks groups_only = changed(facts, [](auto& what) { what.functionals.reset(); });
const Walks without_residual = changed(facts, [](auto& what) { what.residual.reset(); });
const Walks functionals_only = changed(facts, [](auto& what) { what.residual.reset(), what.groups.clear(); });
const Walks of_unknown_length = changed(random_facts, [](auto& what) { what.length = {5, std::nullopt}; });
const Walks without_estimate = changed(double_facts, [](auto& what) { what.no_estimate = "the variance is infinite"; });

/// Adds to a count, as to a whole number.
Change adding(std::size_t place, std::int64_t units) {
    return [=](std::vector<Count>& counts) { counts[place] += static_cast<Count>(units); };
}

Change setting(std::size_t place, Count count) {
    return [=](std::vector<Count>& counts) { counts[place] = count; };
}

const Change wrong_sign = [](auto& counts) {
    for (std::size_t j = 0; j < sample_solution::entries; j += 3) counts[2 + j] = -counts[2 + j];
};

const Change scaled = [](auto& counts) {
    for (std::size_t j = 2; j < counts.size(); j++) {
        counts[j] = std::bit_cast<Count>(std::bit_cast<std::int64_t>(counts[j]) * 11 / 10);
    }
};

/// Adds to the tallies of group 3 so many standard deviations of a launch.
Change group_off_by(double sigmas) {
    const double sd_of_tally = std::sqrt(facts.groups[3].variance * sample_solution::histories);
    return adding(2 + 3 * sample_solution::entries_of_group,
                  static_cast<std::int64_t>(std::ldexp(sigmas * sd_of_tally, sample_solution::bits)));
}

/// Adds to the functionals from `first` to `last` about so many of their standard deviations in a launch.
Change functionals_off_by(double sigmas, std::size_t first, std::size_t last) {
    return [=](std::vector<Count>& counts) {
        for (std::size_t j = 0; j < sample_solution::entries; j++) {
            double sum = 0;
            for (std::size_t k = first; k <= last; k++) sum += facts.functionals->negative[j] >> k & 1 ? -1 : 1;
            const double size = sample_solution::size_of(j);
            const double variance = sample_solution::covariance(End::after_three, size * size, size, size);
            const double off =
                sigmas * sum * std::sqrt(variance * sample_solution::histories / sample_solution::entries);
            counts[2 + j] += static_cast<Count>(static_cast<std::int64_t>(std::ldexp(off, sample_solution::bits)));
        }
    };
}

/// Adds so many standard deviations to the transitions of histories that end at random.
Change longer_by(double sigmas) {
    return adding(0, static_cast<std::int64_t>(sigmas * std::sqrt(12.0 * sample_solution::histories)));
}

/// The mean of two launches in place of one.
std::vector<Count> calm(std::uint64_t k) {
    std::vector<Count> counts = launch(End::after_three, k);
    const std::vector<Count> other = launch(End::after_three, 100 + k);
    for (std::size_t j = 2; j < counts.size(); j++) {
        const auto sum = std::bit_cast<std::int64_t>(counts[j]) + std::bit_cast<std::int64_t>(other[j]);
        counts[j] = std::bit_cast<Count>(sum / 2);
    }
    return counts;
}

TEST(SolutionFaults, WhereThereIsNoneTheVerdictPasses) {
    for (std::uint64_t run = 1; run <= 12; run++) {
        for (const unsigned n : {1u, 2u, 10u, 16u, 24u}) {
            EXPECT_EQ(refusal(*walks, launches_of(End::after_three, run), n), "") << n << " launches of run " << run;
            EXPECT_EQ(refusal(*random_walks, launches_of(End::at_random, run), n), "") << n << ", run " << run;
        }
    }
    EXPECT_EQ(refusal(*walks_in_doubles, doubles, 24), "");
    for (const unsigned n : runs) EXPECT_EQ(refusal(*of_unknown_length, at_random, n), "");
    for (const unsigned n : runs) EXPECT_EQ(refusal(*without_estimate, doubles, n), "");
    EXPECT_EQ(refusal(*without_estimate, changed(doubles, setting(9, std::bit_cast<Count>(1e300))), 1), "");
    // In fixed point a tally of -1 unit has the bits of a count that was never written.
    const auto not_judged =
        changed(facts, [](auto& what) { what.functionals.reset(), what.residual.reset(), what.groups.clear(); });
    EXPECT_EQ(refusal(*not_judged, changed(fixed, setting(500, ~Count{0})), 1), "");
}

// What is planted in every launch, or in one of many; the counts or the means may be right.
TEST(SolutionFaults, AreFound) {
    const Count infinity = std::bit_cast<Count>(std::numeric_limits<double>::infinity());
    const auto repeated = [](const Launches& launches, const std::function<std::uint64_t(std::uint64_t)>& which) {
        return [=](std::uint64_t k) { return launches(which(k)); };
    };
    const Launches all_alike = launches_of(End::after_three, 2, {.alike = 1}),
                   half_alike = launches_of(End::after_three, 2, {.alike = 0.5}),
                   dropped_histories = launches_of(End::after_three, 1, {.from = sample_solution::histories / 8});
    const Launches dropped_in_one = [](std::uint64_t k) {
        return launch(End::after_three, 1'000 + k, {.from = k == 0 ? sample_solution::histories / 2 : 0});
    };
    struct Planted {
        const char* what;
        Walks walks;
        Launches launches;
        std::vector<unsigned> runs;
        std::string reason;
    };
    std::vector<Planted> table = {
        {"a transition too few", walks, changed(fixed, adding(0, -1)), runs, "98303 of 98304 transitions"},
        {"a transition too many", walks, changed(fixed, adding(0, 1)), runs, "98305 of 98304 transitions"},
        {"once", walks, with_one_changed(fixed, 23, adding(0, -1)), {24}, "98303 of 98304 transitions"},
        {"a history too few", walks, changed(fixed, adding(1, -1)), runs, "32767 of 32768 histories"},
        {"a wrong sign", walks, changed(fixed, wrong_sign), runs, "group 0 of a launch"},
        {"seen by functionals", functionals_only, changed(fixed, wrong_sign), runs, "functional"},
        {"a scaled vector", walks, changed(fixed, scaled), runs, ""},
        {"a tally", walks, changed(fixed, group_off_by(7)), runs, ""},
        {"seen by groups", groups_only, changed(fixed, group_off_by(7)), runs, "group 3 of 12"},
        {"a tally once", walks, with_one_changed(fixed, 5, group_off_by(-14)), {24}, "group 3 of a launch"},
        {"a launch far out",
         functionals_only,
         with_one_changed(fixed, 7, functionals_off_by(2, 0, 63)),
         {24},
         "a launch is far from the expectation"},
        {"dropped histories", walks, dropped_histories, runs, ""},
        {"dropped in one launch", walks, dropped_in_one, runs, ""},
        {"histories alike", walks, all_alike, runs, ""},
        {"half of them", walks, half_alike, runs, "the mean squared residual of a launch is 1."},
        {"seen by their spread", without_residual, all_alike, {16, 24}, "of the functionals"},
        {"half of them", without_residual, half_alike, {16}, "the variance of the functionals over 16"},
        {"half of them", without_residual, half_alike, {24}, "the variance of the functionals over 24"},
        {"too little variance", walks, calm, runs, "the mean squared residual of a launch is 0."},
        {"seen by its spread", without_residual, calm, {16}, "the variance of the functionals over 16"},
        {"one launch all over", walks, repeated(fixed, [](auto) { return 0; }), {2, 10, 24}, ""},
        {"every launch twice", walks, repeated(fixed, [](auto k) { return k / 2; }), {2, 10, 24}, ""},
        {"one launch twice", walks, repeated(fixed, [](auto k) { return k == 1 ? 0 : k; }), {2, 10, 24}, ""},
        {"long histories", random_walks, changed(at_random, longer_by(7)), runs, "transitions is +"},
        {"a short launch", random_walks, with_one_changed(at_random, 3, longer_by(-15)), {24}, "a launch of "},
        {"a long launch",
         random_walks,
         with_one_changed(at_random, 3, longer_by(11)),
         {24},
         "transitions of 24 launches"},
        {"equal lengths",
         random_walks,
         changed(at_random, setting(0, 3 * sample_solution::histories)),
         {16},
         "the variance of the transitions of 16 launches"},
        {"an unknown length unlike the others",
         of_unknown_length,
         with_one_changed(at_random, 3, adding(0, 20'000)),
         {24},
         "far outside the others"},
        {"no number", without_estimate, changed(doubles, setting(9, infinity)), {1}, "entry 7 is not finite"},
        {"a transition", without_estimate, changed(doubles, adding(0, -1)), {1}, "98303 of 98304 transitions"},
        {"unwritten", without_estimate, changed(doubles, setting(9, bench::unwritten)), {1}, "never written"},
        {"repeated", without_estimate, repeated(doubles, [](auto) { return 0; }), {2}, "published the same tallies"},
    };
    for (const std::size_t place : {0u, 1u, 2u, 500u, 961u}) {
        const std::string reason = "count " + std::to_string(place) + " of 962 was never written";
        const Change leave_out = setting(place, bench::unwritten);
        table.push_back({"unwritten", walks_in_doubles, with_one_changed(doubles, 0, leave_out), {10}, reason});
        if (place < 2) table.push_back({"unwritten", walks, with_one_changed(fixed, 0, leave_out), {10}, reason});
    }
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(), 1e300}) {
        const Change spoil = setting(2 + 70, std::bit_cast<Count>(bad));
        table.push_back({"no number", walks_in_doubles, changed(doubles, spoil), runs, "entry 70 is not finite"});
    }
    for (const unsigned n : runs) {
        const double root = std::sqrt(static_cast<double>(n));
        const Change one = functionals_off_by(9 / root, 9, 9), all = functionals_off_by(1.5 / root, 0, 63);
        table.push_back({"one functional", functionals_only, changed(fixed, one), {n}, "functional 9 of 64"});
        table.push_back(
            {"all functionals", functionals_only, changed(fixed, all), {n}, "the chi-square of the functionals"});
    }
    for (const Planted& planted : table) {
        SCOPED_TRACE(planted.what);
        for (const unsigned n : planted.runs) {
            const std::string line = refusal(*planted.walks, planted.launches, n);
            EXPECT_NE(line, "") << n << " launches pass";
            EXPECT_NE(line.find(planted.reason), std::string::npos) << n << " launches: " << line;
            EXPECT_EQ(line.find('\n'), std::string::npos);
        }
    }
}

TEST(SolutionFaults, NoFactIsPassedOverBecauseItIsNaN) {
    static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::function<void(SolutionOf&)> spoil[] = {
        [](SolutionOf& what) { what.functionals->exact[5].value = nan; },
        [](SolutionOf& what) { what.functionals->exact[5].within = nan; },
        [](SolutionOf& what) { what.functionals->covariance[5 * 64 + 5] = nan; },
        [](SolutionOf& what) { what.functionals->covariance[5 * 64 + 3] = nan; },
        [](SolutionOf& what) { what.groups[2].exact.value = nan; },
        [](SolutionOf& what) { what.groups[2].variance = nan; },
        [](SolutionOf& what) { what.residual->mean = nan; },
        [](SolutionOf& what) { what.residual->within = nan; },
        [](SolutionOf& what) { what.residual->squared_norm = [](const auto&) { return nan; }; },
    };
    for (std::size_t i = 0; i < std::size(spoil); i++) {
        EXPECT_NE(refusal(*changed(facts, spoil[i]), fixed, 1), "") << "fact " << i;
    }
}

}  // namespace
