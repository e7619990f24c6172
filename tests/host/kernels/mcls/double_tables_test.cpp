// Tables in double precision: probability times factor is the entry of the matrix, so histories are unbiased.
#include "kernels/mcls/tables/double_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/mcls/system/splitting.hpp"

namespace {

using Read = mcls::Loads<mcls::Plainly>;

constexpr double rounding = 1e-12;  // of sums of many probabilities

mcls::Splitting splitting(const std::string& system) { return jacobi(mcls::built_in(system)); }

/// Whether two numbers are the same but for rounding.
bool agree(double a, double b) { return std::abs(a - b) <= rounding * (std::abs(a) + std::abs(b)); }

/// Entries of a row of the tables that are not those of the matrix.
unsigned wrong_entries(const mcls::Sparse& b, const mcls::CsrRows& rows, std::uint32_t row) {
    unsigned wrong = 0;
    double before = 0;
    const std::uint32_t begin = rows.first[row];
    for (std::size_t j = 0; j < b.values_of(row).size(); j++) {
        const double probability = rows.cdf[begin + j] - before;
        before = rows.cdf[begin + j];
        wrong += agree(probability * rows.factor[begin + j], b.values_of(row)[j]) ? 0 : 1;
    }
    return wrong + (rows.first[row + 1] > begin && before != 1 ? 1 : 0);
}

TEST(DoubleTables, HaveTheEntriesOfTheMatrix) {
    for (const char* system : {"tiny4", "lap2d", "sp1", "ad3d"}) {
        const mcls::Sparse b = transposed(splitting(system).h);
        const mcls::CsrTable table = csr_table(b);
        unsigned wrong = 0;
        for (std::uint32_t row = 0; row < b.n; row++) {
            wrong += wrong_entries(b, table.view(), row);
        }
        EXPECT_EQ(wrong, 0u) << system;
        EXPECT_EQ(table.next, b.column) << system;
    }
}

TEST(DoubleTables, OfStructsGiveTheTransitionsOfThoseOfArrays) {
    const mcls::Sparse b = splitting("sp1").h;
    const mcls::CsrTable arrays = csr_table(b);
    const mcls::StructTable structs = struct_table(b);
    for (std::uint32_t state = 0; state < b.n; state += 13) {
        for (const double u : {0x1p-54, 0.125, 0.5, 0.875, 1.0}) {
            const mcls::Move of_array = mcls::move_from<Read>(arrays.view(), state, u);
            const mcls::Move of_struct = mcls::move_from<Read>(structs.view(), state, u);
            ASSERT_EQ(of_array.next, of_struct.next) << state << ", " << u;
            ASSERT_EQ(of_array.factor, of_struct.factor) << state << ", " << u;
        }
    }
}

TEST(DoubleTables, ChooseAnEntryUpToItsCumulativeProbability) {
    const mcls::Sparse b = {.n = 2, .first = {0, 2, 2}, .column = {0, 1}, .value = {-1, 3}};
    const mcls::CsrTable table = csr_table(b);
    const auto move = [&](std::uint32_t state, double u) { return mcls::move_from<Read>(table.view(), state, u); };
    EXPECT_EQ(move(0, 0x1p-54).next, 0u);
    EXPECT_EQ(move(0, 0.25).next, 0u);
    EXPECT_EQ(move(0, 0.25).factor, -4);
    EXPECT_EQ(move(0, std::nextafter(0.25, 1)).next, 1u);
    EXPECT_EQ(move(0, 1).next, 1u);
    EXPECT_EQ(move(0, 1).factor, 4);
    EXPECT_EQ(move(1, 0.5).next, mcls::absorbed) << "an empty row";
}

TEST(DoubleTables, StartWhereBIsNotZero) {
    const std::vector<double> b = {0, 1, 0, -2, 1, 0};
    const mcls::DoubleStartTable table = mcls::double_start_table(b);
    const auto start = [&](double u) {
        return mcls::start_at<Read>(table.view(), mcls::start_state<Read>(table.view(), u));
    };
    EXPECT_EQ(start(0x1p-54).state, 1u);
    EXPECT_EQ(start(0.25).state, 1u);
    EXPECT_EQ(start(0.25).weight, 4);
    EXPECT_EQ(start(0.5).state, 3u);
    EXPECT_EQ(start(0.5).weight, -4);
    EXPECT_EQ(start(0.75).state, 3u);
    EXPECT_EQ(start(1).state, 4u);
}

}  // namespace
