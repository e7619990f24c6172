// The built-in systems have the doubles, the solutions and the spectral radii that numpy computed from their definitions.
#include "kernels/mcls/system/systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/system/splitting.hpp"
#include "tests/host/bench/test_files.hpp"
#include "tests/host/test_data.hpp"

namespace {

using mcls::Sparse;
using Vector = std::vector<double>;

nlohmann::json golden() { return test_cases("golden_mcls.json", "systems"); }

/// As golden_mcls.py defines it.
std::uint64_t checksum(std::size_t size, const std::function<std::uint64_t(std::size_t)>& word) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size; i++) {
        sum += (i + 1) * word(i);
    }
    return sum;
}

std::uint64_t checksum(const Vector& vector) {
    return checksum(vector.size(), [&](std::size_t i) {
        const auto bits = std::bit_cast<std::uint64_t>(vector[i]);
        return bits ^ bits >> 32;
    });
}

std::uint64_t checksum_of_places(const Sparse& matrix) {
    std::uint32_t row = 0;
    return checksum(matrix.column.size(), [&](std::size_t entry) {
        while (matrix.first[row + 1] <= entry) {
            row++;
        }
        return std::uint64_t{row} * matrix.n + matrix.column[entry];
    });
}

double norm(const Vector& vector) {
    return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.));
}

/// x = H x + b by sweeps, until nothing changes by more than rounding.
Vector solution(const mcls::Splitting& split) {
    Vector x = split.b;
    for (double change = 1, largest = 0; change > 1e-15 * largest;) {
        Vector next = mcls::product(split.h, x);
        change = largest = 0;
        for (std::size_t i = 0; i < x.size(); i++) {
            next[i] += split.b[i];
            change = std::max(change, std::abs(next[i] - x[i]));
            largest = std::max(largest, std::abs(next[i]));
        }
        x.swap(next);
    }
    return x;
}

/// The matrix by whose powers the second moments of walks on `b` grow.
Sparse second_moments(Sparse b) {
    for (std::uint32_t row = 0; row < b.n; row++) {
        const auto values = b.values_of(row);
        const double sum =
            std::accumulate(values.begin(), values.end(), 0., [](double s, double v) { return s + std::abs(v); });
        for (std::uint64_t entry = b.first[row]; entry < b.first[row + 1]; entry++) {
            b.value[entry] = std::abs(b.value[entry]) * sum;
        }
    }
    return b;
}

/// The growth in the last two of many steps, because neighbours may take turns.
double radius(const Sparse& matrix, int steps) {
    Vector v(matrix.n, 1);
    double before = 0, last = 0;
    for (int step = 0; step < steps; step++) {
        v = mcls::product(matrix, v);
        before = last;
        last = norm(v);
        std::transform(v.begin(), v.end(), v.begin(), [&](double x) { return x / last; });
    }
    return std::sqrt(before * last);
}

TEST(BuiltInSystems, AreThoseWithGoldenValues) {
    std::vector<std::string> names;
    for (const auto& expected : golden()) {
        names.push_back(expected.at("name"));
    }
    EXPECT_EQ(names, std::vector<std::string>(mcls::system_names().begin(), mcls::system_names().end()));
}

TEST(BuiltInSystems, HaveTheSameDoublesInEveryLanguage) {
    for (const auto& expected : golden()) {
        const std::string name = expected.at("name");
        const mcls::System system = mcls::built_in(name);
        EXPECT_EQ(system.name, name);
        EXPECT_EQ(system.a.n, expected.at("n")) << name;
        EXPECT_EQ(system.a.value.size(), expected.at("entries_a")) << name;
        EXPECT_EQ(checksum_of_places(system.a), expected.at("places_a")) << name;
        EXPECT_EQ(checksum(system.a.value), expected.at("values_a")) << name;
        EXPECT_EQ(checksum(system.b), expected.at("b_a")) << name;

        const mcls::Splitting split = mcls::jacobi(system);
        EXPECT_EQ(split.h.value.size(), expected.at("entries_h")) << name;
        EXPECT_EQ(checksum_of_places(split.h), expected.at("places_h")) << name;
        EXPECT_EQ(checksum(split.h.value), expected.at("values_h")) << name;
        EXPECT_EQ(checksum(split.b), expected.at("b_h")) << name;
    }
}

TEST(BuiltInSystems, HaveTheirSolutions) {
    for (const auto& expected : golden()) {
        const std::string name = expected.at("name");
        const Vector x = solution(mcls::jacobi(mcls::built_in(name)));
        for (const auto& entry : expected.at("x")) {
            const double value = entry.at(1);
            EXPECT_NEAR(x.at(entry.at(0)), value, 1e-11 * std::abs(value)) << name << " " << entry;
        }
        const double size = expected.at("norm");
        EXPECT_NEAR(norm(x), size, 1e-11 * size) << name;
    }
}

TEST(BuiltInSystems, HaveTheirSpectralRadii) {
    for (const auto& expected : golden()) {
        const std::string name = expected.at("name");
        if (name == "ad3d") {
            continue;  // converges slowly
        }
        const Sparse h = mcls::jacobi(mcls::built_in(name)).h;
        const int steps = name == "shift1d" ? 10 : 800;
        EXPECT_NEAR(radius(h, steps), expected.at("rho_h"), 1e-6) << name;
        EXPECT_NEAR(radius(second_moments(h), steps), expected.at("rho_forward"), 1e-6) << name;
        EXPECT_NEAR(radius(second_moments(mcls::transposed(h)), steps), expected.at("rho_adjoint"), 1e-6) << name;
    }
}

TEST(BuiltInSystems, AnotherNameIsRefusedWithTheNamesThatThereAre) {
    EXPECT_EQ(line_of<bench::UsageError>([] { mcls::built_in("lap3d"); }),
              "no system \"lap3d\": choose one of lap2d, shift1d, sp1, ad3d, tiny4, or FILE.mtx");
}

}  // namespace
