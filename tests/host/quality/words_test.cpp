// The battery that runs on the GPU, by the same functions on the host, against plain loops; and what its sums should be.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/plain_words.hpp"

namespace {

using quality::words::Findings;
using quality::words::Group;
using quality::words::Order;
using quality::words::Range;
using WordTest = quality::words::Test;

/// A test with a small launch. Its threads' numbers and bits of a lane differ as in a large one.
WordTest small(WordTest test, unsigned threads, unsigned trips) {
    test.size = {{2, threads}, trips};
    return test;
}

std::vector<bench::Count> as_counts(const plain::Sums& sums) { return {sums.begin(), sums.end()}; }

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const WordTest& test : quality::words::tests()) {
        all.push_back(test.generator + "_" + test.name + (test.of_first_words ? "_of_first_words" : ""));
    }
    return all;
}

class EveryWordsTest : public testing::TestWithParam<std::size_t> {
 protected:
    const WordTest& test() const { return quality::words::tests()[GetParam()]; }
};

TEST_P(EveryWordsTest, SumsWhatPlainLoopsSum) {
    const bool long_words = test().name == "blocks";
    const WordTest of =
        test().name == "turned" ? small(test(), 1, 1) : small(test(), long_words ? 1 : 3, long_words ? 1 : 2);
    const std::vector<Order> orders =
        of.of_first_words ? std::vector{Order::threads, Order::launches, Order::seeds} : std::vector{Order::stream};
    for (const Order order : orders) {
        const auto expected = plain::sums(of, {of.size, 77, order, 5}, false);
        EXPECT_EQ(quality::words::sums_on_host(of, {77, order, 5, 1}), as_counts(expected));
    }
}

INSTANTIATE_TEST_SUITE_P(Words, EveryWordsTest, testing::Range<std::size_t>(0, quality::words::tests().size()),
                         [](const auto& info) { return names()[info.param]; });

const WordTest& test_named(std::string_view generator, std::string_view name, bool of_first_words = false) {
    for (const WordTest& test : quality::words::tests()) {
        if (test.generator == generator && test.name == name && test.of_first_words == of_first_words) return test;
    }
    throw std::logic_error("no test " + std::string(name) + " of " + std::string(generator));
}

Findings findings_of(const WordTest& test, const Range& range) {
    return test.findings(quality::words::sums_on_host(test, range), range.launches * test.words_of_launch());
}

TEST(WordsBattery, AddsTheSumsOfLaunches) {
    const WordTest test = small(test_named("philox", "products"), 2, 2);
    auto first = quality::words::sums_on_host(test, {1, Order::stream, 7, 1});
    const auto second = quality::words::sums_on_host(test, {1, Order::stream, 8, 1});
    for (std::size_t i = 0; i < first.size(); i++) first[i] += second[i];
    EXPECT_EQ(quality::words::sums_on_host(test, {1, Order::stream, 7, 2}), first);
}

/// Central moment of the ones of fair bits, from the binomial law.
double central_moment(unsigned bits, int power) {
    double sum = 0;
    for (unsigned ones = 0; ones <= bits; ones++) {
        const double log_ways = std::lgamma(bits + 1.0) - std::lgamma(ones + 1.0) - std::lgamma(bits - ones + 1.0);
        sum += std::exp(log_ways - bits * std::log(2.0)) * std::pow(ones - bits / 2.0, power);
    }
    return sum;
}

/// The variance of a term of each group of a test.
std::map<std::string, double> variances_of(const std::string& name) {
    const WordTest& test = test_named("philox", name);
    std::map<std::string, double> found;
    for (const Group& group : test.findings(std::vector<bench::Count>(test.sums), test.words_of_launch()).groups) {
        found[group.name] = group.variance;
    }
    return found;
}

TEST(WordsBattery, HasTheVariancesOfTheBinomialLaw) {
    const double v = central_moment(32, 2), of_square = central_moment(32, 4) - v * v;
    const auto lags = variances_of("lags"), products = variances_of("products"), blocks = variances_of("blocks");
    EXPECT_NEAR(lags.at("mean of a bit, less 1/2"), v, 1e-9);
    EXPECT_NEAR(lags.at("variance of a word's ones, over 8, less 1"), of_square, 1e-9);
    EXPECT_NEAR(lags.at("correlation of words' ones"), v * v, 1e-9);
    EXPECT_NEAR(products.at("product of ones, even n, n - s, n - r"), v * v * v, 1e-8);
    EXPECT_NEAR(products.at("the same of n and of n - 1"), std::pow(v, 6), 1e-4);
    EXPECT_NEAR(products.at("product of ones, n, n - s, n - r - s, n - 2r"), std::pow(v, 4), 1e-6);
    EXPECT_NEAR(products.at("variance of the ones of the parity, odd n"), of_square, 1e-9);
    EXPECT_NEAR(products.at("product of squared ones, n, n - s"), of_square * of_square, 1e-6);
    const unsigned bits = 32 * 640;
    const double large = central_moment(bits, 4) - std::pow(central_moment(bits, 2), 2);
    EXPECT_NEAR(blocks.at("variance of the ones of 640 words, over that of fair bits, less 1") / large, 1, 1e-8);
}

/// The deviations of a group's sums in `runs` runs of fair words.
void expect_a_law_of_fair_words(const std::string& name, unsigned runs, unsigned threads, unsigned trips) {
    const WordTest test = small(test_named("philox", name), threads, trips);
    std::vector<double> squares, sums;
    std::vector<Group> groups;
    for (unsigned run = 0; run < runs; run++) {
        groups = findings_of(test, {1000 + run, Order::stream, 0, 1}).groups;
        squares.resize(groups.size());
        sums.resize(groups.size());
        for (std::size_t i = 0; i < groups.size(); i++) {
            const double z = static_cast<double>(groups[i].sums[0]) /
                             std::sqrt(static_cast<double>(groups[i].terms) * groups[i].variance);
            sums[i] += z;
            squares[i] += z * z;
        }
    }
    for (std::size_t i = 0; i < groups.size(); i++) {
        if (groups[i].name.find("threads") != std::string::npos) continue;  // the host has no warps
        EXPECT_NEAR(sums[i] / std::sqrt(runs), 0, 5) << groups[i].name;
        EXPECT_NEAR(squares[i] / runs, 1, 5 * std::sqrt(3.0 / runs)) << groups[i].name;
    }
}

TEST(WordsBattery, KnowsTheVariancesOfFairWords) {
    expect_a_law_of_fair_words("recurrence", 400, 1, 1);
    expect_a_law_of_fair_words("lags", 400, 2, 20);
    expect_a_law_of_fair_words("products", 400, 2, 20);
    expect_a_law_of_fair_words("blocks", 100, 1, 1);
}

TEST(WordsBattery, FindsTheParitiesThatTheUnmixedRecurrenceLeaves) {
    for (const char* name : {"recurrence", "doubled", "squared"}) {
        const WordTest test = small(test_named("unmixed_mrg", name), 1, 8);
        const Group even = findings_of(test, {1, Order::stream, 0, 1}).groups[0];
        EXPECT_EQ(even.sums[0], static_cast<std::int64_t>(even.terms)) << name << ": bit 0 is a shift register";
    }
    const Group even =
        findings_of(small(test_named("unmixed_mrg", "recurrence"), 8, 64), {1, Order::stream, 0, 1}).groups[0];
    for (const unsigned bit : {1, 2, 3, 4}) {  // 0 more often than 1, by 2^-b
        EXPECT_NEAR(static_cast<double>(even.sums[bit]) / static_cast<double>(even.terms),
                    std::ldexp(1, -static_cast<int>(bit)), 5 / std::sqrt(static_cast<double>(even.terms)));
    }
}

TEST(WordsBattery, FindsTheParityOfTheUnmixedRecurrenceAmongAllPatterns) {
    const Findings found =
        findings_of(small(test_named("unmixed_mrg", "successive"), 32, 200), {1, Order::stream, 0, 1});
    const auto& odd = found.largest[1];
    EXPECT_EQ(odd.tested, std::uint64_t{1} << 20);
    EXPECT_EQ(odd.of_draws[0], "n, n - 3, n - 20");
    // Bit b has 2^-b, and each of the 32 lanes is a bit.
    EXPECT_NEAR(static_cast<double>(odd.sums[0]) / static_cast<double>(odd.terms), 2.0 / 32,
                5 / std::sqrt(static_cast<double>(odd.terms)));
}

TEST(WordsBattery, FindsCountersInTheFirstWordsOfNeighbouringStreams) {
    const WordTest& pair = test_named("lcg_consecutive", "pair", true);
    const Group even = findings_of(small(pair, 1, 1), {1, Order::threads, 0, 1}).groups[0];
    EXPECT_EQ(std::abs(even.sums[0]), static_cast<std::int64_t>(even.terms));
}

// D[n] - a D[n - 20] - D[n - 3] of ShiftMrg is floor((a u + v) / 2^16) less the carry-free parts, with 16 bits u and v: bit 0 over
// all of them.
TEST(ShiftMrg, HasTheParityOfItsThreeDrawsThatItsControlClaims) {
    std::int64_t sum = 0;
    for (std::uint64_t u = 0; u < 65536; u++) {
        const std::uint64_t product = 2891336453u * u;
        const std::int64_t low = static_cast<std::int64_t>(product % 65536), sign = product / 65536 % 2 == 0 ? 1 : -1;
        sum += sign * (65536 - low) - sign * low;  // how many v do not carry, and how many do
    }
    EXPECT_EQ(sum, 65536) << "2^-16 of 2^32 pairs";
}

}  // namespace
