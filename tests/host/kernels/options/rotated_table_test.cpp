// The table of normals that a rotation makes normals of: its moments, those of rotated values, and what gives it away.
#include "kernels/random/normals/rotated_table.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/normals/shared/replay.hpp"
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

// Why its normals are a demonstration.
TEST(RotatedTable, ShowsWhereTheRotationIsUndone) {
    std::set<long long> values;
    normals::replay::of_rotated_table(normals::normals_per_group, {1, 0, 1, 0}, 100, [&](const double* z) {
        for (unsigned i = 0; i < normals::normals_per_group; i += 4) {
            values.insert(std::llround(1e9 * (z[i] - z[i + 1] + z[i + 2] + z[i + 3]) / 2));
        }
    });
    EXPECT_LE(values.size(), rng::table_size);
}

}  // namespace
