// The estimand of a solution: what it reports of walks whose moments are known, and of the published golden tallies of a
// system of four equations.
#include "bench/estimands/solution/solution.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/chance/whitening.hpp"
#include "bench/whole_numbers.hpp"
#include "tests/host/bench/sample_solution.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Count;
using bench::SolutionOf;
using bench::Tally;
using bench::TallyType;
using bench::Work;
using sample_solution::End;
using sample_solution::entries;
using sample_solution::histories;
using sample_solution::launch;

Tally run(const bench::Estimand& estimand, unsigned launches, End end = End::after_three) {
    Tally tally(estimand, sample_solution::work_of(estimand));
    for (unsigned k = 0; k < launches; k++) tally.add(launch(end, k));
    return tally;
}

/// The estimate of an entry, added up in doubles.
double entry(std::size_t j, unsigned launches, End end = End::after_three) {
    double sum = 0;
    for (unsigned k = 0; k < launches; k++)
        sum += static_cast<double>(std::bit_cast<std::int64_t>(launch(end, k)[2 + j]));
    return std::ldexp(sum, -sample_solution::bits) / (launches * static_cast<double>(histories));
}

TEST(Solution, TheErrorIsThatOfItsFunctionals) {
    const SolutionOf what = sample_solution::facts();
    const auto estimand = bench::solution(what);
    const auto outcome = estimand->outcome(run(*estimand, 20));
    double squares = 0;
    for (std::size_t k = 0; k < 64; k++) {
        double off = 0;
        for (std::size_t j = 0; j < entries; j++) {
            const double error = entry(j, 20) - sample_solution::exact_entry(j, End::after_three);
            off += what.functionals->negative[j] >> k & 1 ? -error : error;
        }
        squares += off * off / 64;
    }
    const double relative = outcome["error"]["relative"], predicted = outcome["error"]["predicted"];
    EXPECT_NEAR(relative, std::sqrt(squares) / what.norm, 1e-4 * relative);
    EXPECT_NEAR(predicted, std::sqrt(what.variance / (20.0 * histories)) / what.norm, 0.05 * predicted);
    EXPECT_NEAR(relative / predicted, 1, 0.5);
    EXPECT_EQ(outcome["error"]["systematic"], 0);
    EXPECT_EQ(outcome["histories"], 20 * histories);
}

TEST(Solution, TheResidualAndTheVarianceAreThoseOfTheLaunches) {
    const SolutionOf what = sample_solution::facts();
    const auto estimand = bench::solution(what);
    const auto outcome = estimand->outcome(run(*estimand, 20));
    double squares = 0;
    for (unsigned k = 0; k < 20; k++) {
        std::vector<double> x;
        for (std::size_t j = 0; j < entries; j++) {
            const auto tally = static_cast<double>(std::bit_cast<std::int64_t>(launch(End::after_three, k)[2 + j]));
            x.push_back(std::ldexp(tally, -sample_solution::bits) / histories);
        }
        squares += sample_solution::squared_distance(x, End::after_three) / 20;
    }
    const auto& residual = outcome["residual"];
    EXPECT_NEAR(residual["relative"].get<double>(), std::sqrt(squares) / (2 * what.norm), 1e-6);
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

TEST(Solution, SaysHowManyHistoriesWereReplayed) {
    SolutionOf what = sample_solution::facts();
    const auto expect = [&](const nlohmann::ordered_json& replayed, bool in_report, bench::Occasion occasion) {
        const auto estimand = bench::solution(what);
        const Tally tally = run(*estimand, 1);
        EXPECT_EQ(estimand->outcome(tally)["verdict"]["replayed"], replayed);
        const std::string line = "1,024 histories of another launch as the host replays them";
        EXPECT_EQ(estimand->report(tally, occasion).find(line) != std::string::npos, in_report);
    };
    expect(nullptr, false, bench::Occasion::timed);
    what.replayed = [](bench::Shape) { return 1024; };
    expect(1024, true, bench::Occasion::timed);
    expect(1024, false, bench::Occasion::one_launch);  // of a profile, without a replay
}

// Tallies of up to 60 bits.
TEST(Solution, FinerUnitsGiveTheSameEstimate) {
    constexpr int finer = 30;
    SolutionOf what = sample_solution::facts();
    what.bits += finer;
    const auto fine = bench::solution(what), coarse = bench::solution(sample_solution::facts());
    Tally tally(*fine, sample_solution::work_of(*fine));
    for (unsigned k = 0; k < 3; k++) {
        auto counts = launch(End::after_three, k);
        for (std::size_t j = 0; j < entries; j++) counts[2 + j] <<= finer;
        tally.add(counts);
    }
    const auto of_fine = fine->outcome(tally), of_coarse = coarse->outcome(run(*coarse, 3));
    for (const char* field : {"error", "residual", "verdict"}) EXPECT_EQ(of_fine[field], of_coarse[field]) << field;
}

TEST(Solution, DoublesGiveTheSameEstimateAsFixedPoint) {
    const auto fixed = bench::solution(sample_solution::facts());
    const auto doubles = bench::solution(sample_solution::facts(End::after_three, TallyType::doubles));
    Tally tally(*doubles, sample_solution::work_of(*doubles));
    for (unsigned k = 0; k < 3; k++) tally.add(sample_solution::as_doubles(launch(End::after_three, k)));
    EXPECT_EQ(doubles->outcome(tally), fixed->outcome(run(*fixed, 3)));
}

/// The numbers of a file.
std::vector<double> numbers_in(const std::string& path) {
    std::ifstream file(path);
    return {std::istream_iterator<double>(file), {}};
}

class SolutionInAFile : public InAFolder {};

TEST_F(SolutionInAFile, HasAllEntries) {
    SolutionOf what = sample_solution::facts();
    bench::solution(what)->write_files(run(*bench::solution(what), 1));  // none
    what.file_of_x = path;
    const auto estimand = bench::solution(what);
    estimand->write_files(run(*estimand, 5));
    const std::vector<double> x = numbers_in(path);
    ASSERT_EQ(x.size(), entries);
    for (std::size_t j = 0; j < entries; j++) EXPECT_NEAR(x[j], entry(j, 5), 1e-14);
    EXPECT_EQ(names().size(), 1);
}

TEST_F(SolutionInAFile, IsLeftAsItWasIfTheDiskIsFull) {
    std::ofstream(path) << "before";
    SolutionOf what = sample_solution::facts();
    what.file_of_x = path;
    const auto estimand = bench::solution(what);
    const Tally tally = run(*estimand, 5);
    {
        const NoRoom full;
        EXPECT_THROW(estimand->write_files(tally), bench::WriteError);
    }
    std::string text;
    std::ifstream(path) >> text;
    EXPECT_EQ(text, "before");
    EXPECT_EQ(names().size(), 1);
}

TEST(Solution, TheProblemIsTheSystem) {
    const bench::Solution solution(sample_solution::facts());
    EXPECT_EQ(solution.problem()["name"], "sample");
}

TEST(Solution, TheWorkOfALaunchIsKnownIfHistoriesAreEquallyLong) {
    EXPECT_TRUE(bench::Solution(sample_solution::facts()).work_is_known());
    SolutionOf what = sample_solution::facts(End::at_random);
    EXPECT_FALSE(bench::Solution(what).work_is_known());
    what.length.variance.reset();
    EXPECT_FALSE(bench::Solution(what).work_is_known());
}

TEST(Solution, APointOfTheTraceIsWorkAndRelativeError) {
    const auto estimand = bench::solution(sample_solution::facts());
    const Tally tally = run(*estimand, 4);
    const auto point = estimand->point(tally.state().sums, tally.work());
    EXPECT_EQ(point[0], 4 * 3 * histories);
    EXPECT_EQ(point[1], estimand->outcome(tally)["error"]["relative"]);
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
    EXPECT_TRUE(estimand->point(tally.state().sums, tally.work())[1].is_null());
    const std::string report = estimand->report(tally, bench::Occasion::pooled);
    EXPECT_NE(report.find("no estimate"), std::string::npos) << report;
    EXPECT_EQ(report.find("merit"), std::string::npos) << report;
}

TEST(Solution, TheReportTellsTheErrorOnEveryOccasion) {
    const auto estimand = bench::solution(sample_solution::facts());
    for (const auto occasion : {bench::Occasion::one_launch, bench::Occasion::timed, bench::Occasion::pooled}) {
        const Tally tally = run(*estimand, occasion == bench::Occasion::one_launch ? 1 : 20);
        const std::string report = estimand->report(tally, occasion);
        EXPECT_NE(report.find("relative error 0."), std::string::npos) << report;
        EXPECT_NE(report.find("3 transitions per history"), std::string::npos) << report;
    }
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
TEST(Solution, OnlyJudgedEntriesAreJudged) {
    const auto last_group = entries - sample_solution::entries_of_group;
    SolutionOf what = sample_solution::facts();
    what.functionals.reset();
    what.residual.reset();
    const auto off = [&](const SolutionOf& facts) {
        const auto estimand = bench::solution(facts);
        Tally tally(*estimand, sample_solution::work_of(*estimand));
        auto counts = launch(End::after_three, 0);
        counts[2 + last_group] += Count{1} << 40;
        tally.add(counts);
        estimand->judge(tally);
    };
    EXPECT_THROW(off(what), bench::VerdictError);
    what.judged.assign(entries, true);
    for (std::size_t j = last_group; j < entries; j++) what.judged[j] = false;
    what.groups.pop_back();
    EXPECT_NO_THROW(off(what));
}

TEST(Solution, TheOutcomeTellsHowManyEntriesAreJudged) {
    const auto judged_of = [](const SolutionOf& facts) {
        const auto estimand = bench::solution(facts);
        return estimand->outcome(run(*estimand, 1))["judged_entries"];
    };
    SolutionOf what = sample_solution::facts();
    EXPECT_EQ(judged_of(what), entries);
    what.judged.assign(entries, true);
    what.judged[0] = what.judged[entries - 1] = false;
    EXPECT_EQ(judged_of(what), entries - 2);
}

TEST(Solution, ImpossibleLaunchesAreRefused) {
    const auto estimand = bench::solution(sample_solution::facts());
    Work work = sample_solution::work_of(*estimand);
    EXPECT_EQ(estimand->work_of_launch(work), 3 * histories);
    work.streams = 999, work.iters = 1;
    EXPECT_THROW(estimand->work_of_launch(work), bench::UsageError);
    work.streams = std::uint64_t{1} << 62;
    EXPECT_THROW(estimand->work_of_launch(work), bench::UsageError);
}

TEST(Solution, ABlockMayHaveAsManyHistoriesAsItCounts) {
    SolutionOf what = sample_solution::facts();
    what.histories = 4'000;
    what.histories_of_block = 1'000;
    const auto estimand = bench::solution(what);
    Work work = {.shape = {4, 32}, .iters = 1};
    EXPECT_EQ(estimand->work_of_launch(work), 3 * 4'000);
    work.shape.blocks = 3;
    try {
        estimand->work_of_launch(work);
        FAIL() << "one block has 1334";
    } catch (const bench::UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "--histories: 4,000 for 3 blocks are more than 1,000 each, which is what a block can count; use "
                     "--launches");
    }
    work.shape = {};  // on the CPU
    EXPECT_NO_THROW(estimand->work_of_launch(work));
}

TEST(Solution, ALaunchMayHaveAsManyHistoriesAsTheFactsSay) {
    SolutionOf what = sample_solution::facts();
    what.histories = histories;
    const auto estimand = bench::solution(what);
    Work work = {.seed = 1, .iters = 1, .streams = 7, .counts = 2 + entries};
    work.per_launch = estimand->work_of_launch(work);
    EXPECT_EQ(work.per_launch, 3 * histories);
    Tally tally(*estimand, work);
    tally.add(launch(End::after_three, 0));
    EXPECT_NO_THROW(estimand->judge(tally));
    work.iters = 2;
    EXPECT_THROW(estimand->work_of_launch(work), bench::UsageError);
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
    refused([](SolutionOf& what) { what.system = "lap2d"; });
}

// The system of tiny4: A = [4 -1 0 .5; -1 5 -2 0; 0 1 4 -1; -1 0 -.5 3], b = (1, 0, -2, 3). Tallies of a replay in Python,
// after 10 transitions; means and variances of a history from dense matrices.
struct Golden {
    std::vector<std::int64_t> tallies;
    std::vector<double> sigma;  // to two decimals
};
const Golden by_cdf = {{12234864532382604, -7803125357340355, -25772428684754450, 109258031481843372},
                       {1.60, 0.41, -0.51, -1.06}};
const Golden by_alias = {{12007301786295233, -8062695185555328, -25830386138707372, 109363468492163526},
                         {0.73, -1.02, -0.69, -0.76}};

const double x_after_10[] = {0.1074617, -0.07164202, -0.23283465, 0.99701504};

SolutionOf tiny4(const std::vector<double>& variances, std::size_t only) {
    SolutionOf what = {.entries = 4,
                       .bits = 40,
                       .length = {10, 0.0},
                       .generator = "Philox4x32-10",
                       .soundness = bench::Soundness::sound,
                       .variance = 1,
                       .norm = 1};
    what.judged.assign(4, false);
    what.judged[only] = true;
    what.groups = {{.end = only + 1, .exact = {x_after_10[only]}, .variance = variances[only]}};
    return what;
}

TEST(Solution, GoldenTalliesAreAsFarFromTheExactEntriesAsTheyShouldBe) {
    for (const Golden& golden : {by_cdf, by_alias}) {
        for (std::size_t j = 0; j < 4; j++) {
            const auto estimand = bench::solution(tiny4({0.56864767, 0.27636898, 0.9269828, 0.97216041}, j));
            Work work = {.iters = 1, .streams = 100'000, .counts = 6};
            work.per_launch = estimand->work_of_launch(work);
            EXPECT_EQ(work.per_launch, 1'000'000);
            std::vector<Count> counts = {1'000'000, 100'000};
            for (const std::int64_t tally : golden.tallies) counts.push_back(std::bit_cast<Count>(tally));
            Tally tally(*estimand, work);
            tally.add(counts);
            EXPECT_NO_THROW(estimand->judge(tally));
            EXPECT_NEAR(estimand->outcome(tally)["verdict"]["groups"]["sigma"].get<double>(), golden.sigma[j], 0.006);
        }
    }
}

// Each history estimates one entry: 250 of 1,000 histories each.
TEST_F(SolutionInAFile, OfForwardWalksEachEntryHasItsShareOfTheHistories) {
    const std::vector<std::int64_t> tallies = {29255470431135, -13399222748179, -67513541217410, 274415070474971};
    const std::vector<double> variances = {0.03005932, 0.02701741, 0.05894116, 0.01635526};  // of an entry's history
    for (std::size_t j = 0; j < 4; j++) {
        SolutionOf what = tiny4({4 * variances[0], 4 * variances[1], 4 * variances[2], 4 * variances[3]}, j);
        what.share = 0.25;
        what.file_of_x = path;
        const auto estimand = bench::solution(what);
        Work work = {.iters = 1, .streams = 1'000, .counts = 6};
        work.per_launch = estimand->work_of_launch(work);
        std::vector<Count> counts = {10'000, 1'000};
        for (const std::int64_t tally : tallies) counts.push_back(std::bit_cast<Count>(tally));
        Tally tally(*estimand, work);
        tally.add(counts);
        const double x = std::ldexp(static_cast<double>(tallies[j]), -40) / 250;
        estimand->write_files(tally);
        EXPECT_NEAR(numbers_in(path).at(j), x, 1e-15);
        EXPECT_NEAR(estimand->outcome(tally)["verdict"]["groups"]["sigma"].get<double>(),
                    (x - x_after_10[j]) / std::sqrt(variances[j] / 250), 1e-4);
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
