// Planted faults of random walks. The verdict must find each of them in one launch (--profile), in the few of a timed run
// and in many that are pooled, whoever adds them up, and accept runs without a fault.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/solution/solution.hpp"
#include "tests/host/bench/sample_solution.hpp"

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

constexpr unsigned runs[] = {1, 10, 24};

/// The launches of a run with this number.
Launches launches_of(End end, std::uint64_t run, const sample_solution::Walked& walked = {}) {
    return [=](std::uint64_t index) { return launch(end, 1'000 * run + index, walked); };
}

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

/// Ways to add up the same launches.
enum class Way { one_by_one, by_two_workers, resumed };

Tally counted(const bench::Estimand& estimand, const Launches& launches, unsigned n, Way way) {
    Tally tally(estimand, sample_solution::work_of(estimand));
    Tally part = tally.empty();
    for (unsigned k = 0; k < n; k++) (way == Way::by_two_workers && k % 2 == 0 ? part : tally).add(launches(k));
    if (part.launches() > 0) tally.add(part);
    if (way == Way::resumed) {
        Tally resumed = tally.empty();
        resumed.restore(tally.state());
        resumed.estimand().check(resumed);
        return resumed;
    }
    return tally;
}

/// The line of the verdict's error; empty if it passes.
std::string refusal(const bench::Estimand& estimand, const Launches& launches, unsigned n, Way way = Way::one_by_one) {
    try {
        const Tally tally = counted(estimand, launches, n, way);
        estimand.judge(tally);
        return "";
    } catch (const bench::VerdictError& error) {
        return error.what();
    }
}

const bench::Estimand& walks(End end = End::after_three, TallyType type = TallyType::fixed_point) {
    static const auto fixed = bench::solution(sample_solution::facts(End::after_three));
    static const auto random = bench::solution(sample_solution::facts(End::at_random));
    static const auto doubles = bench::solution(sample_solution::facts(End::after_three, TallyType::doubles));
    return type == TallyType::doubles ? *doubles : end == End::at_random ? *random : *fixed;
}

void expect_found(const bench::Estimand& estimand, const Launches& launches, unsigned n, const std::string& reason) {
    for (const Way way : {Way::one_by_one, Way::by_two_workers, Way::resumed}) {
        const std::string line = refusal(estimand, launches, n, way);
        EXPECT_NE(line, "") << n << " launches pass";
        EXPECT_NE(line.find(reason), std::string::npos) << n << " launches: '" << line << "' lacks " << reason;
        EXPECT_EQ(line.find('\n'), std::string::npos);
    }
}

void expect_found_in_all_runs(const Change& change, const std::string& reason) {
    for (const unsigned n : runs) {
        expect_found(walks(), changed(launches_of(End::after_three, 1), change), n, reason);
    }
}

/// Adds to the tallies of group 3 so many standard deviations of a launch.
Change group_off_by(double sigmas) {
    const bench::Group group = sample_solution::facts().groups[3];
    const double sd_of_tally = std::sqrt(group.variance * sample_solution::histories);
    const auto units = static_cast<std::int64_t>(std::ldexp(sigmas * sd_of_tally, sample_solution::bits));
    return [=](std::vector<Count>& counts) { counts[2 + 3 * sample_solution::entries_of_group] += units; };
}

SolutionOf without_residual() {
    SolutionOf what = sample_solution::facts();
    what.residual.reset();
    return what;
}

SolutionOf functionals_only() {
    SolutionOf what = without_residual();
    what.groups.clear();
    return what;
}

TEST(SolutionFaults, WhereThereIsNoneTheVerdictPasses) {
    for (std::uint64_t run = 1; run <= 12; run++) {
        for (const unsigned n : {1u, 2u, 10u, 16u, 24u}) {
            for (const End end : {End::after_three, End::at_random}) {
                EXPECT_EQ(refusal(walks(end), launches_of(end, run), n), "") << n << " launches of run " << run;
            }
        }
    }
    EXPECT_EQ(refusal(walks(End::after_three, TallyType::doubles), doubles, 24), "");
}

TEST(SolutionFaults, ATallyThatIsOffIsFoundInEveryRun) {
    SolutionOf what = sample_solution::facts();
    what.functionals.reset();
    const auto groups_only = bench::solution(what);
    const Launches off = changed(launches_of(End::after_three, 1), group_off_by(7));
    for (const unsigned n : runs) {
        expect_found(*groups_only, off, n, "group 3 of 12");
        expect_found(walks(), off, n, "");
    }
    expect_found(walks(), with_one_changed(launches_of(End::after_three, 1), 5, group_off_by(-14)), 24,
                 "group 3 of a launch");
}

TEST(SolutionFaults, ATransitionTooFewIsFound) {
    expect_found_in_all_runs([](auto& counts) { counts[0]--; }, "98303 of 98304 transitions");
    expect_found_in_all_runs([](auto& counts) { counts[0]++; }, "98305 of 98304 transitions");
    expect_found(walks(), with_one_changed(launches_of(End::after_three, 1), 23, [](auto& counts) { counts[0]--; }), 24,
                 "98303 of 98304 transitions");
}

TEST(SolutionFaults, AHistoryTooFewIsFound) {
    expect_found_in_all_runs([](auto& counts) { counts[1]--; }, "32767 of 32768 histories");
}

void expect_unwritten_found(TallyType type, const Launches& launches, std::size_t place) {
    const Change leave_out = [place](auto& counts) { counts[place] = bench::unwritten; };
    expect_found(walks(End::after_three, type), with_one_changed(launches, 0, leave_out), 10,
                 "count " + std::to_string(place) + " of 962 was never written");
}

TEST(SolutionFaults, AnUnwrittenCountIsFound) {
    for (const std::size_t place : {0u, 1u}) {
        expect_unwritten_found(TallyType::fixed_point, launches_of(End::after_three, 1), place);
    }
    for (const std::size_t place : {0u, 1u, 2u, 500u, 961u}) {
        expect_unwritten_found(TallyType::doubles, doubles, place);
    }
}

// In fixed point it has the bits of a count that was never written.
TEST(SolutionFaults, ATallyOfMinusOneUnitIsNone) {
    SolutionOf what = functionals_only();
    what.functionals.reset();
    const Change minus_one = [](auto& counts) { counts[500] = std::bit_cast<Count>(std::int64_t{-1}); };
    EXPECT_EQ(refusal(*bench::solution(what), changed(launches_of(End::after_three, 1), minus_one), 1), "");
}

TEST(SolutionFaults, ATallyThatIsNoNumberIsFound) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 1e300}) {
        for (const unsigned n : runs) {
            const Launches launches = [bad](std::uint64_t k) {
                auto counts = sample_solution::as_doubles(launch(End::after_three, k));
                counts[2 + 70] = std::bit_cast<Count>(bad);
                return counts;
            };
            expect_found(walks(End::after_three, TallyType::doubles), launches, n, "entry 70 is not finite");
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
        SolutionOf what = sample_solution::facts();
        spoil[i](what);
        EXPECT_NE(refusal(*bench::solution(what), launches_of(End::after_three, 1), 1), "") << "fact " << i;
    }
}

TEST(SolutionFaults, AWrongSignIsFound) {
    const Change wrong = [](auto& counts) {
        for (std::size_t j = 0; j < sample_solution::entries; j += 3) counts[2 + j] = -counts[2 + j];
    };
    expect_found_in_all_runs(wrong, "group 0 of a launch");
    for (const unsigned n : runs) {
        expect_found(*bench::solution(functionals_only()), changed(launches_of(End::after_three, 1), wrong), n,
                     "functional");
    }
}

// The counts are right, but a part of the histories adds nothing to the tallies.
TEST(SolutionFaults, ADroppedBlockOfHistoriesIsFound) {
    const sample_solution::Walked walked = {.from = sample_solution::histories / 8};
    for (const unsigned n : runs) {
        expect_found(walks(), launches_of(End::after_three, 1, walked), n, "");
        const Launches one_is_bad = [](std::uint64_t k) {
            return launch(End::after_three, 1'000 + k, {.from = k == 0 ? sample_solution::histories / 2 : 0});
        };
        expect_found(walks(), one_is_bad, n, "");
    }
}

TEST(SolutionFaults, AVectorScaledInAllLaunchesIsFound) {
    expect_found_in_all_runs(
        [](auto& counts) {
            for (std::size_t j = 2; j < counts.size(); j++) {
                counts[j] = std::bit_cast<Count>(std::bit_cast<std::int64_t>(counts[j]) * 11 / 10);
            }
        },
        "");
}

// The means are right, but some histories depend on others.
TEST(SolutionFaults, CorrelatedHistoriesAreFound) {
    const Launches all_alike = launches_of(End::after_three, 2, {.alike = 1});
    const Launches half_alike = launches_of(End::after_three, 2, {.alike = 0.5});
    for (const unsigned n : runs) {
        expect_found(walks(), all_alike, n, "");
        expect_found(walks(), half_alike, n, "the mean squared residual of a launch is 1.");
    }
    const auto estimand = bench::solution(without_residual());
    for (const unsigned n : {16u, 24u}) {
        expect_found(*estimand, all_alike, n, "of the functionals");
        expect_found(*estimand, half_alike, n, "the variance of the functionals over " + std::to_string(n));
    }
}

// The mean of two launches in place of one.
TEST(SolutionFaults, LaunchesThatVaryTooLittleAreFound) {
    const Launches calm = [](std::uint64_t k) {
        std::vector<Count> counts = launch(End::after_three, k);
        const std::vector<Count> other = launch(End::after_three, 100 + k);
        for (std::size_t j = 2; j < counts.size(); j++) {
            const auto sum = std::bit_cast<std::int64_t>(counts[j]) + std::bit_cast<std::int64_t>(other[j]);
            counts[j] = std::bit_cast<Count>(sum / 2);
        }
        return counts;
    };
    for (const unsigned n : runs) expect_found(walks(), calm, n, "the mean squared residual of a launch is 0.");
    expect_found(*bench::solution(without_residual()), calm, 16, "the variance of the functionals over 16");
}

TEST(SolutionFaults, RepeatedLaunchesAreFound) {
    const Launches launches = launches_of(End::after_three, 1);
    for (const unsigned n : {2u, 10u, 24u}) {
        expect_found(
            walks(), [&](std::uint64_t) { return launches(0); }, n, "");
        expect_found(
            walks(), [&](std::uint64_t k) { return launches(k / 2); }, n, "");
        expect_found(
            walks(), [&](std::uint64_t k) { return launches(k == 1 ? 0 : k); }, n, "");
    }
}

/// Adds to each tally a multiple of its standard deviation in a launch.
Change entries_off_by(const std::function<double(std::size_t)>& sigmas) {
    return [=](std::vector<Count>& counts) {
        for (std::size_t j = 0; j < sample_solution::entries; j++) {
            const double size = sample_solution::size_of(j);
            const double variance = sample_solution::covariance(End::after_three, size * size, size, size);
            const double off = sigmas(j) * std::sqrt(variance * sample_solution::histories);
            counts[2 + j] += static_cast<std::int64_t>(std::ldexp(off, sample_solution::bits));
        }
    };
}

/// Adds to the functionals from `first` to `last` about so many of their standard deviations in a launch.
Change functionals_off_by(double sigmas, std::size_t first, std::size_t last) {
    const std::vector<std::uint64_t> negative = sample_solution::functionals(End::after_three).negative;
    return entries_off_by([=](std::size_t j) {
        double sum = 0;
        for (std::size_t k = first; k <= last; k++) sum += negative[j] >> k & 1 ? -1 : 1;
        return sigmas * sum / std::sqrt(static_cast<double>(sample_solution::entries));
    });
}

TEST(SolutionFaults, ASingleFunctionalThatIsOffIsFound) {
    const auto estimand = bench::solution(functionals_only());
    for (const unsigned n : runs) {
        const Change off = functionals_off_by(9 / std::sqrt(static_cast<double>(n)), 9, 9);
        expect_found(*estimand, changed(launches_of(End::after_three, 1), off), n, "functional 9 of 64");
    }
}

TEST(SolutionFaults, FunctionalsThatAreAllSlightlyOffAreFound) {
    const auto estimand = bench::solution(functionals_only());
    for (const unsigned n : runs) {
        const Change off = functionals_off_by(1.5 / std::sqrt(static_cast<double>(n)), 0, 63);
        expect_found(*estimand, changed(launches_of(End::after_three, 1), off), n, "the chi-square of the functionals");
    }
}

TEST(SolutionFaults, ALaunchFarOutIsFoundAmongMany) {
    expect_found(*bench::solution(functionals_only()),
                 with_one_changed(launches_of(End::after_three, 1), 7, functionals_off_by(2, 0, 63)), 24,
                 "a launch is far from the expectation");
}

// Histories end at random: their number of transitions has a known mean and variance.
TEST(SolutionFaults, LengthsThatChanceDoesNotExplainAreFound) {
    const Launches launches = launches_of(End::at_random, 1);
    const double sd = std::sqrt(12.0 * sample_solution::histories);
    const auto longer = [&](double sigmas) {
        return Change([=](auto& counts) { counts[0] += static_cast<std::int64_t>(sigmas * sd); });
    };
    for (const unsigned n : runs)
        expect_found(walks(End::at_random), changed(launches, longer(7)), n, "transitions is +");
    expect_found(walks(End::at_random), with_one_changed(launches, 3, longer(-15)), 24, "a launch of ");
    expect_found(walks(End::at_random), with_one_changed(launches, 3, longer(11)), 24, "transitions of 24 launches");
    const Launches equal = changed(launches, [](auto& counts) { counts[0] = 3 * sample_solution::histories; });
    expect_found(walks(End::at_random), equal, 16, "the variance of the transitions of 16 launches");
}

// With a cutoff the lengths are not known, but those of launches must be alike.
TEST(SolutionFaults, UnknownLengthsMustBeAlike) {
    SolutionOf what = sample_solution::facts(End::at_random);
    what.length = {5, std::nullopt};
    const auto estimand = bench::solution(what);
    const Launches launches = launches_of(End::at_random, 1);
    for (const unsigned n : runs) EXPECT_EQ(refusal(*estimand, launches, n), "");
    expect_found(*estimand, with_one_changed(launches, 3, [](auto& counts) { counts[0] += 20'000; }), 24,
                 "far outside the others");
}

// Without a variance there is no estimate, and tallies have any size, but the counts are judged all the same.
TEST(SolutionFaults, AreFoundWithoutAnEstimate) {
    SolutionOf what = sample_solution::facts(End::after_three, TallyType::doubles);
    what.no_estimate = "the variance is infinite";
    const auto estimand = bench::solution(what);
    const auto with = [](double tally) {
        return changed(doubles, [tally](auto& counts) { counts[9] = std::bit_cast<Count>(tally); });
    };
    for (const unsigned n : runs) EXPECT_EQ(refusal(*estimand, doubles, n), "");
    EXPECT_EQ(refusal(*estimand, with(1e300), 1), "");
    expect_found(*estimand, with(std::numeric_limits<double>::infinity()), 1, "entry 7 is not finite");
    expect_found(*estimand, changed(doubles, [](auto& counts) { counts[0]--; }), 1, "98303 of 98304 transitions");
    expect_found(*estimand, changed(doubles, [](auto& counts) { counts[9] = bench::unwritten; }), 1, "never written");
    expect_found(
        *estimand, [&](std::uint64_t) { return doubles(0); }, 2, "published the same tallies");
}

}  // namespace
