// The table of normals that a rotation makes normals of: its moments, those of rotated values, and what gives it away.
#include "kernels/random/normals/rotated_table.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/mrg.cuh"
#include "kernels/random/normals/exact_normals.hpp"

namespace {

constexpr unsigned most = 9;  // the highest moment that is a normal's

/// Of a normal: 0, 1, 0, 3, 0, 15, ...
double normal_moment(unsigned power) {
    double moment = power % 2 == 0 ? 1 : 0;
    for (unsigned odd = 1; odd < power; odd += 2) moment *= odd;
    return moment;
}

/// The mean of a power of all values of the table.
double table_moment(unsigned power) {
    double sum = 0;
    for (unsigned entry = 0; entry < rng::table_size; entry++) sum += std::pow(rng::exact_table_normal(entry), power);
    return sum / rng::table_size;
}

TEST(RotatedTable, ValuesHaveTheMomentsOfANormal) {
    for (unsigned power = 0; power <= most; power++) {
        EXPECT_NEAR(table_moment(power), normal_moment(power), 1e-7 * normal_moment(power + power % 2)) << power;
    }
}

/// Row i, column j: how much of number j is in number i of a rotation.
std::vector<std::vector<double>> matrix() {
    std::vector<std::vector<double>> rows(4, std::vector<double>(4));
    for (unsigned j = 0; j < 4; j++) {
        float x[4] = {};
        x[j] = 1;
        rng::rotate_four(x);
        for (unsigned i = 0; i < 4; i++) rows[i][j] = x[i];
    }
    return rows;
}

/// The mean of the product of these numbers of a rotation of four independent values of the table.
double joint_moment(const std::vector<unsigned>& numbers) {
    const auto rows = matrix();
    double moments[most + 1];
    for (unsigned power = 0; power <= most; power++) moments[power] = table_moment(power);
    double mean = 0;
    for (unsigned term = 0; term < 1u << 2 * numbers.size(); term++) {
        double product = 1;
        unsigned powers[4] = {};
        for (unsigned i = 0; i < numbers.size(); i++) {
            const unsigned j = term >> 2 * i & 3;
            product *= rows[numbers[i]][j];
            powers[j]++;
        }
        for (const unsigned power : powers) product *= moments[power];
        mean += product;
    }
    return mean;
}

TEST(RotatedTable, RotatedValuesHaveTheJointMomentsOfIndependentNormals) {
    const std::vector<unsigned> products[] = {
        {0, 1},
        {2, 2},
        {0, 1, 2, 3},
        {3, 3, 3, 3},
        {0, 0, 1, 1},
        {0, 0, 0, 1},
        {0, 0, 1, 2},
        {0, 0, 1, 1, 2, 2},
        {1, 1, 1, 1, 3, 3},
        {2, 2, 2, 2, 2, 2},
        {0, 0, 1, 1, 2, 2, 3, 3},
    };
    for (const auto& product : products) {
        double expected = 1;
        for (unsigned i = 0; i < 4; i++) {
            expected *= normal_moment(static_cast<unsigned>(std::count(product.begin(), product.end(), i)));
        }
        EXPECT_NEAR(joint_moment(product), expected, 1e-5) << testing::PrintToString(product);
    }
}

/// A step that rotates values of the table, and the first four normals of thread 5 of 8 in launch 3 with seed 1234: by Python,
/// from the words of tests/data/golden.py and the quantiles of its statistics.NormalDist.
struct Step {
    const char* name;
    rng::NormalsOf replay;
    std::vector<double> first_four;
};

const Step steps[] = {
    {"n11",
     normals::replay::of_rotated_table,
     {0.6874601642014598, 0.253517869813928, -0.2608068822520203, 0.9528670015631411}},
    {"n12",
     normals::replay::of_unshifted_bits,
     {-0.04549096635119576, -0.13535536726007596, 0.4721442483006353, 0.5639937644891371}},
};

TEST(RotatedTable, ReplaysTheNormalsOfPython) {
    for (const Step& step : steps) {
        step.replay(4, {1234, 3, 8, 5}, 1, [&](const double* z) {
            for (unsigned i = 0; i < 4; i++) EXPECT_NEAR(z[i], step.first_four[i], 1e-6) << step.name << ", " << i;
        });
    }
}

// Why their normals are a demonstration.
TEST(RotatedTable, ShowsWhereTheRotationIsUndone) {
    for (const Step& step : steps) {
        std::set<long long> values;
        step.replay(normals::normals_per_group, {1, 0, 1, 0}, 100, [&](const double* z) {
            for (unsigned i = 0; i < normals::normals_per_group; i += 4) {
                values.insert(std::llround(1e9 * (z[i] - z[i + 1] + z[i + 2] + z[i + 3]) / 2));
            }
        });
        EXPECT_LE(values.size(), rng::table_size) << step.name;
    }
}

/// The mean product of the values that bits `lowest` to `lowest` + 9 of words n, n - 13 and n - 31 of the MRG choose. Words
/// n - 13 and n - 31 are independent. Word n is the first plus s, a multiple of the second, modulo the weight of the next higher
/// bit. Over all words n - 13 the mean product of the other two values is linear in s from entry to entry.
double mean_product_of_three(unsigned lowest) {
    std::vector<double> value(rng::table_size), product(rng::table_size + 1);
    for (unsigned i = 0; i < rng::table_size; i++) value[i] = rng::exact_table_normal(i);
    for (unsigned apart = 0; apart <= rng::table_size; apart++) {
        for (unsigned i = 0; i < rng::table_size; i++) {
            product[apart] += value[i] * value[(i + apart) % rng::table_size] / rng::table_size;
        }
    }
    const std::uint64_t of_an_entry = 1u << lowest, words = rng::table_size * of_an_entry;
    double sum = 0;
    for (std::uint64_t word = 0; word < words; word++) {
        const std::uint64_t s = rng::mrg_multiplier * word % words, apart = s / of_an_entry;
        const double part = static_cast<double>(s % of_an_entry) / static_cast<double>(of_an_entry);
        sum += value[word / of_an_entry] * std::lerp(product[apart], product[apart + 1], part);
    }
    return sum / static_cast<double>(words);
}

// By Fourier sums in numpy: -2.76e-5 and -8.61e-7.
TEST(RotatedTable, LowerBitsTellMoreToATestThatKnowsTheRecurrence) {
    EXPECT_NEAR(mean_product_of_three(7), -2.76e-5, 0.01e-5);   // the second values of n12
    EXPECT_NEAR(mean_product_of_three(12), -8.61e-7, 0.01e-7);  // those of n11
}

}  // namespace
