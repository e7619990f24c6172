// Sparse matrices.
#include "kernels/mcls/system/sparse.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using mcls::Sparse;
using std::vector;

//  . 2 . 5
//  . . . .
//  1 . 3 .
//  . 4 . .
const vector<mcls::Entry> entries{{3, 1, 4}, {0, 3, 5}, {2, 2, 3}, {0, 1, 2}, {2, 0, 1}};

void expect_same(const Sparse& found, const Sparse& expected) {
    EXPECT_EQ(found.n, expected.n);
    EXPECT_EQ(found.first, expected.first);
    EXPECT_EQ(found.column, expected.column);
    EXPECT_EQ(found.value, expected.value);
}

TEST(Sparse, HoldsItsEntriesInTheOrderOfRowsAndColumns) {
    expect_same(mcls::sparse(4, entries), {4, {0, 2, 2, 4, 5}, {1, 3, 0, 2, 1}, {2, 5, 1, 3, 4}});
}

TEST(Sparse, AddsEntriesOfTheSamePlaceInTheirOrder) {
    const vector<mcls::Entry> twice{{1, 1, 1}, {0, 1, 1}, {1, 1, 1e16}, {1, 0, 7}, {1, 1, -1e16}};
    expect_same(mcls::sparse(2, twice), {2, {0, 1, 3}, {1, 0, 1}, {1, 7, (1 + 1e16) - 1e16}});
}

TEST(Sparse, MayHaveNoEntries) { expect_same(mcls::sparse(2, {}), {2, {0, 0, 0}, {}, {}}); }

TEST(Sparse, ATransposedMatrixHasRowsForColumns) {
    expect_same(mcls::transposed(mcls::sparse(4, entries)), {4, {0, 1, 3, 4, 5}, {2, 0, 3, 2, 0}, {1, 2, 4, 3, 5}});
}

TEST(Sparse, AProductSumsEachRow) {
    EXPECT_EQ(mcls::product(mcls::sparse(4, entries), vector<double>{1, 10, 100, 1000}),
              (vector<double>{5020, 0, 301, 40}));
}

}  // namespace
