// The estimand of a solution: what it reports of walks whose moments are known, and of the published golden tallies of a
// system of four equations.
#include "bench/estimands/solution/solution.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/chance/whitening.hpp"
#include "bench/whole_numbers.hpp"
#include "tests/host/bench/estimands/solution/sample_solution.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Count;
using bench::LaunchSpec;
using bench::SolutionOf;
using bench::Tally;
using bench::TallyType;
using sample_solution::End;
using sample_solution::entries;
using sample_solution::histories;
using sample_solution::launch;

Tally run(const bench::Estimand& estimand, unsigned launches, End end = End::after_three) {
    Tally tally(estimand, sample_solution::spec_of(estimand));
    for (unsigned k = 0; k < launches; k++) tally.add(launch(end, k));
    return tally;
}

/// The estimate of launch k, in doubles.
std::vector<double> estimate(unsigned k) {
    std::vector<double> x;
    for (std::size_t j = 0; j < entries; j++) {
        const auto tally = static_cast<double>(std::bit_cast<std::int64_t>(launch(End::after_three, k)[2 + j]));
        x.push_back(std::ldexp(tally, -sample_solution::bits) / static_cast<double>(histories));
    }
    return x;
}

/// That of several launches.
std::vector<double> mean_estimate(unsigned launches) {
    std::vector<double> mean(entries);
    for (unsigned k = 0; k < launches; k++) {
        const auto x = estimate(k);
        for (std::size_t j = 0; j < entries; j++) mean[j] += x[j] / launches;
    }
    return mean;
}

TEST(Solution, TheErrorIsThatOfItsFunctionalsAndTheResidualThatOfTheLaunches) {
    const SolutionOf what = sample_solution::facts();
    const auto estimand = bench::solution(what);
    const auto outcome = estimand->outcome(run(*estimand, 20));
    const auto x = mean_estimate(20);
    double errors = 0, residuals = 0;
    for (std::size_t k = 0; k < 64; k++) {
        double off = 0;
        for (std::size_t j = 0; j < entries; j++) {
            const double error = x[j] - sample_solution::exact_entry(j, End::after_three);
            off += what.functionals->negative[j] >> k & 1 ? -error : error;
        }
        errors += off * off / 64;
    }
    for (unsigned k = 0; k < 20; k++) {
        residuals += sample_solution::squared_distance(estimate(k), End::after_three) / 20;
    }
    const double relative = outcome["error"]["relative"], predicted = outcome["error"]["predicted"];
    EXPECT_NEAR(relative, std::sqrt(errors) / what.norm, 1e-4 * relative);
    EXPECT_NEAR(predicted, std::sqrt(what.variance / (20.0 * histories)) / what.norm, 0.05 * predicted);
    EXPECT_NEAR(relative / predicted, 1, 0.5);
    EXPECT_EQ(outcome["error"]["systematic"], 0);
    EXPECT_EQ(outcome["histories"], 20 * histories);
    const auto& residual = outcome["residual"];
    EXPECT_NEAR(residual["relative"].get<double>(), std::sqrt(residuals) / (2 * what.norm), 1e-6);
    EXPECT_NEAR(residual["predicted"].get<double>(), std::sqrt(what.variance / histories) / (2 * what.norm), 1e-9);
    EXPECT_LT(std::abs(residual["sigma"].get<double>()), 5);
    const auto& dispersion = outcome["verdict"]["dispersion"];
    EXPECT_NEAR(dispersion["value"].get<double>(), 1, 5 * dispersion["sd"].get<double>());
    EXPECT_NEAR(dispersion["sd"].get<double>(), std::sqrt(2.0 / (64 * 19)), 1e-12);
}

TEST(Solution, TheMeritIsVarianceTimesLengthOverTheSquaredNorm) {
    const SolutionOf what = sample_solution::facts(End::at_random);
    const auto estimand = bench::solution(what);
    const Tally tally = run(*estimand, 20, End::at_random);
    const auto outcome = estimand->outcome(tally);
    double transitions = 0;
    for (unsigned k = 0; k < 20; k++) transitions += static_cast<double>(launch(End::at_random, k)[0]);
    const double length = transitions / (20.0 * histories);
    EXPECT_EQ(tally.work_done(), static_cast<std::uint64_t>(transitions));
    EXPECT_DOUBLE_EQ(outcome["length"]["mean"].get<double>(), length);
    EXPECT_EQ(outcome["length"]["exact"], 3);
    EXPECT_NEAR(outcome["length"]["sigma"].get<double>(), (length - 3) / std::sqrt(12 / (20.0 * histories)), 1e-6);
    const double k = what.variance * length / (what.norm * what.norm);
    EXPECT_DOUBLE_EQ(outcome["merit"]["k"].get<double>(), k);
    EXPECT_DOUBLE_EQ(outcome["merit"]["transitions_to_1pct"].get<double>(), k * 1e4);
}

// Of launches with fewer transitions than the run's the problem is a smaller one.
TEST(Solution, ReplaysWholeLaunchesOfItsProblemOrASmallerOne) {
    struct Numbered : bench::Problem {
        explicit Numbered(int n) : number(n) {}
        int number;
    };
    SolutionOf what = sample_solution::facts();
    const LaunchSpec spec = {.shape = {1, 4}, .iters = 1, .streams = 4, .work = 1000};
    const Numbered problem(1);
    EXPECT_FALSE(bench::solution(what)->replay(spec, &problem, 250));
    what.replay = [](const LaunchSpec&, const bench::Problem& of, std::uint64_t launch, const std::vector<Count>&) {
        return std::to_string(launch) + " of " + std::to_string(static_cast<const Numbered&>(of).number);
    };
    what.smaller = [](const LaunchSpec&, const bench::Problem&, double transitions) {
        return std::shared_ptr<const bench::Problem>(std::make_shared<Numbered>(static_cast<int>(transitions)));
    };
    const auto estimand = bench::solution(what);
    EXPECT_EQ(bench::difference(*estimand->replay(spec, &problem, 250), 7, 0, {}), "7 of 1");
    const auto fewer = estimand->replay(spec, &problem, 20);
    EXPECT_EQ(bench::difference(*fewer, 7, 0, {}), "7 of 80");
    EXPECT_EQ(fewer->spec.work, 80u);
}

// Finer units make tallies of up to 60 bits.
TEST(Solution, FinerUnitsAndDoublesGiveTheSameEstimate) {
    constexpr int finer = 30;
    SolutionOf fine = sample_solution::facts(), doubles = sample_solution::facts(End::after_three, TallyType::doubles);
    fine.bits += finer;
    const auto coarse = bench::solution(sample_solution::facts());
    const auto expected = coarse->outcome(run(*coarse, 3));
    for (const SolutionOf& what : {fine, doubles}) {
        const auto estimand = bench::solution(what);
        Tally tally(*estimand, sample_solution::spec_of(*estimand));
        for (unsigned k = 0; k < 3; k++) {
            auto counts = launch(End::after_three, k);
            for (std::size_t j = 0; j < entries; j++) counts[2 + j] <<= what.bits - sample_solution::bits;
            tally.add(what.type == TallyType::doubles ? sample_solution::as_doubles(counts) : counts);
        }
        const auto outcome = estimand->outcome(tally);
        for (const char* field : {"error", "residual", "verdict"}) EXPECT_EQ(outcome[field], expected[field]) << field;
    }
}

/// The numbers of a file.
std::vector<double> numbers_in(const std::string& path) {
    std::ifstream file(path);
    return {std::istream_iterator<double>(file), {}};
}

class SolutionInAFile : public InAFolder {};

TEST_F(SolutionInAFile, HasAllEntriesAndIsLeftAsItWasIfTheDiskIsFull) {
    SolutionOf what = sample_solution::facts();
    const auto silent = bench::solution(what);
    silent->write_files(run(*silent, 1));
    EXPECT_TRUE(names().empty());
    what.file_of_x = path;
    const auto estimand = bench::solution(what);
    const Tally tally = run(*estimand, 5);
    estimand->write_files(tally);
    const std::vector<double> x = numbers_in(path), expected = mean_estimate(5);
    ASSERT_EQ(x.size(), entries);
    for (std::size_t j = 0; j < entries; j++) EXPECT_NEAR(x[j], expected[j], 1e-14);
    {
        const NoRoom full;
        EXPECT_THROW(estimand->write_files(tally), bench::WriteError);
    }
    EXPECT_EQ(numbers_in(path), x);
    EXPECT_EQ(names().size(), 1);
}

TEST(Solution, TellsOfItsProblemAndWhetherTheWorkOfALaunchIsKnown) {
    SolutionOf what = sample_solution::facts(), cut_off = sample_solution::facts(End::at_random);
    what.most_launches = 5'000;
    EXPECT_EQ(bench::solution(what)->problem(), *what.system);
    EXPECT_EQ(bench::solution(what)->most_launches(), 5'000u);
    EXPECT_TRUE(bench::solution(what)->work_is_known());
    EXPECT_FALSE(bench::solution(cut_off)->work_is_known()) << "histories are not equally long";
    cut_off.length.variance.reset();
    EXPECT_FALSE(bench::solution(cut_off)->work_is_known());
}

TEST(Solution, WithoutAVarianceThereIsNoEstimate) {
    SolutionOf what = sample_solution::facts();
    what.no_estimate = "the variance is infinite";
    const auto estimand = bench::solution(what);
    const Tally tally = run(*estimand, 4);
    const auto outcome = estimand->outcome(tally);
    EXPECT_EQ(outcome["no_estimate"], "the variance is infinite");
    for (const char* field : {"error", "residual", "variance", "merit", "judged_entries"})
        EXPECT_TRUE(outcome[field].is_null()) << field;
    EXPECT_TRUE(estimand->point(tally.state().sums, tally.spec())[1].is_null());
    const std::string report = estimand->report(tally, bench::Occasion::pooled);
    EXPECT_NE(report.find("no estimate"), std::string::npos) << report;
    EXPECT_EQ(report.find("merit"), std::string::npos) << report;
}

TEST(Solution, TheReportAndTheTraceTellTheError) {
    const auto estimand = bench::solution(sample_solution::facts());
    const Tally tally = run(*estimand, 4);
    for (const auto occasion : {bench::Occasion::one_launch, bench::Occasion::timed, bench::Occasion::pooled}) {
        const std::string report = estimand->report(tally, occasion);
        EXPECT_NE(report.find("relative error 0."), std::string::npos) << report;
        EXPECT_NE(report.find("3 transitions per history"), std::string::npos) << report;
    }
    const auto point = estimand->point(tally.state().sums, tally.spec());
    EXPECT_EQ(point[0], 4 * 3 * histories);
    EXPECT_EQ(point[1], estimand->outcome(tally)["error"]["relative"]);
}

// A bias that may exceed the error by chance is allowed for, and told.
TEST(Solution, AKnownBiasIsAllowedFor) {
    SolutionOf what = sample_solution::facts();
    for (auto& exact : what.functionals->exact) exact.value += 0.1 * what.norm;
    for (auto& group : what.groups) group.exact.value += 0.1 * what.norm;
    const auto biased = bench::solution(what);
    const Tally refused = run(*biased, 20);
    EXPECT_THROW(biased->judge(refused), bench::VerdictError);
    EXPECT_TRUE(biased->warnings(refused, bench::Occasion::pooled).empty());
    for (auto& exact : what.functionals->exact) exact.within = 0.1 * what.norm;
    for (auto& group : what.groups) group.exact.within = 0.1 * what.norm;
    const auto allowed = bench::solution(what);
    const Tally tally = run(*allowed, 20);
    EXPECT_NO_THROW(allowed->judge(tally));
    EXPECT_EQ(allowed->warnings(tally, bench::Occasion::pooled).size(), 1);
}

// What histories leave out because they end is no part of the verdict on their sums, but of the error of x.
TEST(Solution, EndsOfHistoriesBelongToTheError) {
    SolutionOf what = sample_solution::facts();
    const auto exact = bench::solution(what);
    const double by_chance = exact->outcome(run(*exact, 20))["error"]["predicted"];
    what.ends = {.of_functionals = std::vector(bench::most_functionals, 0.3 * what.norm), .most = 0.3};
    const auto chosen = bench::solution(what);
    const Tally tally = run(*chosen, 20);
    EXPECT_NO_THROW(chosen->judge(tally));
    const auto error = chosen->outcome(tally)["error"];
    EXPECT_NEAR(error["relative"].get<double>(), 0.3, 5 * by_chance);
    EXPECT_EQ(error["predicted"], by_chance);
    EXPECT_NEAR(error["systematic"].get<double>(), 0.3, 1e-12);
    EXPECT_NE(chosen->report(tally, bench::Occasion::timed).find("by chance, up to 0.3 by their ends)"),
              std::string::npos);
    const auto warnings = chosen->warnings(tally, bench::Occasion::timed);
    ASSERT_EQ(warnings.size(), 1);
    EXPECT_EQ(warnings[0].kind, "bias");
    EXPECT_EQ(warnings[0].text.find("what histories leave out because they end may be as large as 0.3 of x"), 0)
        << warnings[0].text;
}

TEST(Solution, EndsThatTheUserDidNotChooseMayNotExceedTheErrorByChance) {
    SolutionOf what = sample_solution::facts();
    const auto exact = bench::solution(what);
    const double of_launch = exact->outcome(run(*exact, 1))["error"]["predicted"];
    what.histories = histories;
    what.ends = {.most = of_launch / 2, .advice = "they end early"};
    const auto estimand = bench::solution(what);
    LaunchSpec spec = sample_solution::spec_of(*exact);
    spec.iters = 1;
    Tally few(*estimand, spec), many(*estimand, spec);
    for (unsigned k = 0; k < 3; k++) few.add(launch(End::after_three, k));
    for (unsigned k = 0; k < 5; k++) many.add(launch(End::after_three, k));
    EXPECT_NO_THROW(estimand->judge(few));
    EXPECT_NO_THROW(estimand->require_launches(3));
    for (const auto& refuse :
         {std::function([&] { estimand->judge(many); }), std::function([&] { estimand->require_launches(5); })}) {
        try {
            refuse();
            ADD_FAILURE() << "it passed";
        } catch (const bench::VerdictError& error) {
            const std::string line = error.what();
            EXPECT_EQ(line.find("x may be off by "), 0) << line;
            EXPECT_NE(line.find(" only: they end early"), std::string::npos) << line;
        }
    }
}

// The groups in reverse: the same sums, with the last entry first.
TEST(Solution, AGroupMayHaveAnyEntries) {
    SolutionOf what = sample_solution::facts();
    const auto in_order = bench::solution(what);
    std::vector<bench::Group> groups(what.groups.rbegin(), what.groups.rend());
    for (std::size_t g = 0; g < groups.size(); g++) groups[g].end = what.groups[g].end;
    what.groups = groups;
    what.in_groups.resize(entries);
    std::iota(what.in_groups.rbegin(), what.in_groups.rend(), 0);
    const auto in_reverse = bench::solution(what);
    auto expected = in_order->outcome(run(*in_order, 3)), found = in_reverse->outcome(run(*in_reverse, 3));
    auto& worst = expected["verdict"]["groups"];
    worst["index"] = groups.size() - 1 - worst["index"].get<std::size_t>();
    EXPECT_EQ(found, expected);
}

// Entries that are not judged may hold anything.
TEST(Solution, OnlyJudgedEntriesAreJudgedAndTheOutcomeTellsTheirNumber) {
    const auto last_group = entries - sample_solution::entries_of_group;
    SolutionOf what = sample_solution::facts();
    what.functionals.reset();
    what.residual.reset();
    auto counts = launch(End::after_three, 0);
    counts[2 + last_group] += Count{1} << 40;
    const auto all = bench::solution(what);
    EXPECT_EQ(all->outcome(run(*all, 1))["judged_entries"], entries);
    EXPECT_THROW(Tally(*all, sample_solution::spec_of(*all)).add(counts), bench::VerdictError);
    what.judged.assign(entries, true);
    for (std::size_t j = last_group; j < entries; j++) what.judged[j] = false;
    what.groups.pop_back();
    const auto without = bench::solution(what);
    Tally not_judged(*without, sample_solution::spec_of(*without));
    not_judged.add(counts);
    EXPECT_NO_THROW(without->judge(not_judged));
    EXPECT_EQ(without->outcome(not_judged)["judged_entries"], last_group);
}

TEST(Solution, ImpossibleLaunchesAreRefused) {
    SolutionOf what = sample_solution::facts(), given = sample_solution::facts();
    given.histories = 4'000;
    given.histories_of_block = 1'000;
    const struct {
        SolutionOf facts;
        LaunchSpec spec;
        std::uint64_t transitions;  // 0: refused
    } table[] = {
        {what, {.shape = {32, 32}, .iters = 32, .streams = histories / 32}, 3 * histories},
        {what, {.shape = {32, 32}, .iters = 1, .streams = 999}, 0},
        {what, {.shape = {32, 32}, .iters = 1, .streams = std::uint64_t{1} << 62}, 0},
        {given, {.shape = {4, 32}, .iters = 1, .streams = 7}, 3 * 4'000},
        {given, {.shape = {4, 32}, .iters = 2, .streams = 7}, 0},
        {given, {.shape = {3, 32}, .iters = 1, .streams = 7}, 0},
        {given, {.shape = {}, .iters = 1, .streams = 7}, 3 * 4'000},  // without blocks
    };
    for (const auto& row : table) {
        const auto estimand = bench::solution(row.facts);
        if (row.transitions > 0) {
            EXPECT_EQ(estimand->work_of_launch(row.spec), row.transitions);
        } else {
            EXPECT_THROW(estimand->work_of_launch(row.spec), bench::UsageError) << row.spec.streams;
        }
    }
    EXPECT_EQ(
        line_of<bench::UsageError>([&] {
            bench::solution(given)->work_of_launch({.shape = {3, 32}, .iters = 1});
        }),
        "--histories: 4,000 for 3 blocks are more than 1,000 each, which is what a block can count; use --launches");
    what.histories = histories;
    const auto estimand = bench::solution(what);
    LaunchSpec spec = {.seed = 1, .iters = 1, .streams = 7, .published = 2 + entries};
    spec.work = estimand->work_of_launch(spec);
    Tally tally(*estimand, spec);
    tally.add(launch(End::after_three, 0));
    EXPECT_NO_THROW(estimand->judge(tally)) << "a launch of as many histories as the facts say";
}

TEST(Solution, ACheckpointThatContradictsItselfIsRefused) {
    SolutionOf what = sample_solution::facts(End::at_random);
    what.file_of_x = "x";
    const auto estimand = bench::solution(what);
    const Tally tally = run(*estimand, 5, End::at_random);
    EXPECT_NO_THROW(estimand->check(tally));
    for (std::size_t column = 0; column < estimand->width(); column += column < 90 ? 1 : 97) {
        for (const bool to_large : {false, true}) {
            if (!to_large && (column == 67 || column == 68)) continue;  // a square may be 0
            Tally::State state = tally.state();
            state.sums.row[column] = to_large ? bench::Uint128{1} << 100 : 0;
            Tally changed = tally.empty();
            changed.restore(state);
            EXPECT_THROW(estimand->check(changed), std::invalid_argument) << column << to_large;
        }
    }
    Tally::State state = tally.state();
    state.sums.row[10] += 1'000 << 16;  // standard deviations of a launch
    Tally changed = tally.empty();
    changed.restore(state);
    EXPECT_THROW(estimand->check(changed), std::invalid_argument);
}

TEST(Solution, FactsThatContradictThemselvesAreRefused) {
    const auto refused = [](const auto& change) {
        SolutionOf what = sample_solution::facts();
        change(what);
        EXPECT_THROW(bench::solution(what), std::logic_error);
    };
    refused([](SolutionOf& what) { what.functionals->negative.pop_back(); });
    refused([](SolutionOf& what) { what.functionals->covariance.pop_back(); });
    refused([](SolutionOf& what) { what.groups.back().end++; });
    refused([](SolutionOf& what) { what.groups[1].end = what.groups[0].end; });
    refused([](SolutionOf& what) { what.judged.resize(1); });
    refused([](SolutionOf& what) { what.in_groups.assign(entries, entries); });
    refused([](SolutionOf& what) { what.in_groups.assign(entries - 1, 0); });
    refused([](SolutionOf& what) { what.length.mean = 2.5; });
}

// The system of tiny4: A = [4 -1 0 .5; -1 5 -2 0; 0 1 4 -1; -1 0 -.5 3], b = (1, 0, -2, 3). Tallies of a replay in Python,
// after 10 transitions; means and variances of a history from dense matrices. Each forward history estimates one entry.
TEST_F(SolutionInAFile, OfGoldenTalliesIsAsFarFromTheExactEntriesAsItShouldBe) {
    const double x_after_10[] = {0.1074617, -0.07164202, -0.23283465, 0.99701504};
    const double backward[] = {0.56864767, 0.27636898, 0.9269828, 0.97216041},
                 forward[] = {0.03005932, 0.02701741, 0.05894116, 0.01635526};
    const struct {
        std::vector<std::int64_t> tallies;
        std::uint64_t histories;
        double share;
        const double* variances;  // of a history that estimates the entry
    } table[] = {
        {{12234864532382604, -7803125357340355, -25772428684754450, 109258031481843372}, 100'000, 1, backward},
        {{12007301786295233, -8062695185555328, -25830386138707372, 109363468492163526}, 100'000, 1, backward},
        {{29255470431135, -13399222748179, -67513541217410, 274415070474971}, 1'000, 0.25, forward},
    };
    for (const auto& [tallies, walked, share, variances] : table) {
        for (std::size_t j = 0; j < 4; j++) {
            SolutionOf what = {.entries = 4,
                               .bits = 40,
                               .share = share,
                               .length = {10, 0.0},
                               .generator = "Philox4x32-10",
                               .soundness = bench::Soundness::sound,
                               .variance = 1,
                               .norm = 1};
            what.judged.assign(4, false);
            what.judged[j] = true;
            what.groups = {{.end = j + 1, .exact = {x_after_10[j]}, .variance = variances[j] / share}};
            what.file_of_x = path;
            const auto estimand = bench::solution(what);
            LaunchSpec spec = {.iters = 1, .streams = walked, .published = 6};
            spec.work = estimand->work_of_launch(spec);
            EXPECT_EQ(spec.work, 10 * walked);
            std::vector<Count> counts = {spec.work, walked};
            for (const std::int64_t tally : tallies) counts.push_back(std::bit_cast<Count>(tally));
            Tally tally(*estimand, spec);
            tally.add(counts);
            EXPECT_NO_THROW(estimand->judge(tally));
            const double own = static_cast<double>(walked) * share;
            const double x = std::ldexp(static_cast<double>(tallies[j]), -40) / own;
            estimand->write_files(tally);
            EXPECT_NEAR(numbers_in(path).at(j), x, 1e-14);
            EXPECT_NEAR(estimand->outcome(tally)["verdict"]["groups"]["sigma"].get<double>(),
                        (x - x_after_10[j]) / std::sqrt(variances[j] / own), 1e-4);
        }
    }
}

TEST(Whitening, TheLengthIsThatOfTheInverseCovariance) {
    const std::vector<double> covariance = {4, 2, 2, 5};  // inverse: (5 -2; -2 4) / 16
    const bench::Whitening whitening(2, covariance);
    EXPECT_EQ(whitening.rank(), 2);
    EXPECT_DOUBLE_EQ(whitening.squared_length(std::vector<double>{2, 3}), (5 * 4 - 2 * 2 * 6 + 4 * 9) / 16.0);
    // Inverse factor: (1/2 0; -1/4 1/2). The largest sum of sizes in each row.
    EXPECT_DOUBLE_EQ(whitening.most_length(std::vector<double>{2, 4}), std::sqrt(1 + 2.5 * 2.5));
}

TEST(Whitening, NumbersThatOthersDetermineAreLeftOut) {
    // The third number is the sum of the first two; the fourth is always 0.
    const std::vector<double> covariance = {4, 2, 6, 0, 2, 5, 7, 0, 6, 7, 13, 0, 0, 0, 0, 0};
    const bench::Whitening whitening(4, covariance);
    EXPECT_EQ(whitening.rank(), 2);
    EXPECT_DOUBLE_EQ(whitening.squared_length(std::vector<double>{2, 3, 5, 0}), 2);
}

}  // namespace
