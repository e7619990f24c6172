// Jacobi's splitting, and the systems that it refuses.
#include "kernels/mcls/system/splitting.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using std::vector;

mcls::System two_by_two(const vector<mcls::Entry>& entries, const vector<double>& b = {1, 1}) {
    return {.name = "two", .a = mcls::sparse(2, entries), .b = b};
}

std::string refusal_of(const vector<mcls::Entry>& entries, const vector<double>& b = {1, 1}) {
    return line_of<bench::UsageError>([&] { mcls::jacobi(two_by_two(entries, b)); });
}

TEST(Jacobi, DividesEachRowByItsDiagonalEntry) {
    const auto [h, b] = mcls::jacobi(two_by_two({{0, 0, 2}, {0, 1, 3}, {1, 0, 1}, {1, 1, -4}}, {5, 6}));
    EXPECT_EQ(h.first, (vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(h.column, (vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(h.value, (vector<double>{-1.5, 0.25}));
    EXPECT_EQ(b, (vector<double>{2.5, -1.5}));
}

TEST(Jacobi, LeavesOutEntriesThatAreZero) {
    const auto h = mcls::jacobi(two_by_two({{0, 0, 2}, {0, 1, 0}, {1, 0, 1}, {1, 1, 1}})).h;
    EXPECT_EQ(h.first, (vector<std::uint64_t>{0, 0, 1}));
    EXPECT_EQ(h.column, (vector<std::uint32_t>{0}));
}

TEST(Jacobi, RefusesARowWithoutAUsableDiagonalEntry) {
    EXPECT_EQ(refusal_of({{0, 0, 1}, {0, 1, 1}, {1, 0, 1}}), "row 2 has no diagonal entry");
    EXPECT_EQ(refusal_of({{0, 1, 1}, {1, 0, 1}, {1, 1, 1}}), "row 1 has no diagonal entry");
    EXPECT_EQ(refusal_of({{0, 0, 1}, {0, 1, 1}, {1, 1, 0}}),
              "row 2 has no diagonal entry with a finite reciprocal: it is 0");
    EXPECT_EQ(refusal_of({{0, 0, 1e-310}, {0, 1, 1}, {1, 1, 1}}),
              "row 1 has no diagonal entry with a finite reciprocal: it is 1e-310");
}

TEST(Jacobi, RefusesARowThatOverflows) {
    EXPECT_EQ(refusal_of({{0, 0, 1}, {1, 0, 1e300}, {1, 1, 1e-10}}),
              "row 2 overflows: 1e+300 / 1e-10, its diagonal entry");
    EXPECT_EQ(refusal_of({{0, 0, 1e-10}, {1, 0, 1}, {1, 1, 1}}, {1e300, 1}),
              "row 1 overflows: 1e+300 / 1e-10, its diagonal entry");
    EXPECT_EQ(refusal_of({{0, 0, 1e308}, {0, 0, 1e308}, {1, 0, 1}, {1, 1, 1}}),
              "row 1 overflows: inf / inf, its diagonal entry");
}

TEST(Jacobi, RefusesARightHandSideThatIsZeroOrOfAnotherSize) {
    const vector<mcls::Entry> good{{0, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    EXPECT_EQ(refusal_of(good, {0, -0.}), "rhs is zero: nothing to sample; mcls_solve has the answer");
    EXPECT_EQ(refusal_of(good, {1, 2, 3}), "rhs has 3 entries, matrix 2");
}

TEST(Jacobi, RefusesARightHandSideWithoutDigits) {
    const std::string line = "rhs is so small that doubles lose its digits: multiply it by a large number";
    EXPECT_EQ(refusal_of({{0, 0, 1}, {0, 1, 1}, {1, 1, 1}}, {1e-310, 0}), line);
    EXPECT_EQ(refusal_of({{0, 0, 9}, {0, 1, 1}, {1, 1, 9}}, {3e-308, 0}), line);
}

TEST(Jacobi, RefusesASingularMatrix) {
    const auto refusal = [](double a, double b, double c, double d) {
        return refusal_of({{0, 0, a}, {0, 1, b}, {1, 0, c}, {1, 1, d}});
    };
    EXPECT_EQ(refusal(0.3, -0.3, -2, 2), "the matrix is singular: the entries of each row add up to 0");
    EXPECT_EQ(refusal(1, -3, -1, 3), "the matrix is singular: the entries of each column add up to 0");
}

TEST(Jacobi, RefusesADiagonalMatrix) {
    EXPECT_EQ(refusal_of({{0, 0, 2}, {0, 1, 0}, {1, 1, 4}}),
              "nothing to walk: the matrix has no entries off the diagonal; mcls_solve has the answer");
}

}  // namespace
