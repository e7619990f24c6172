// What v16 and v16t rest on beside their draws: rounding to halves on the host, sums of masks, who meets whom in a warp.
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/pi/shared/half_cells_replay.hpp"
#include "kernels/pi/shared/mask_sum.cuh"
#include "kernels/pi/shared/round_to_half.hpp"
#include "kernels/pi/shared/tensor_pairs.cuh"

namespace {

/// The number that a half's bits below the sign stand for (IEEE 754 binary16).
double half_of_bits(unsigned bits) {
    const int exponent = static_cast<int>(bits >> 10), mantissa = static_cast<int>(bits % 1024);
    return exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
}

constexpr unsigned infinity_bits = 31 << 10;

TEST(RoundToHalf, KeepsHalves) {
    for (unsigned bits = 0; bits < infinity_bits; bits++) {
        const double half = half_of_bits(bits);
        EXPECT_EQ(pi::round_to_half(half), half) << bits;
        EXPECT_EQ(pi::round_to_half(-half), -half) << bits;
    }
}

// Between two neighbours the halfway point goes to the even one, and what is nearer to one of them, by however little, to it.
TEST(RoundToHalf, TakesTheNearerNeighbourAndTheEvenOneOfTwo) {
    for (unsigned bits = 0; bits + 1 < infinity_bits; bits++) {
        const double below = half_of_bits(bits), above = half_of_bits(bits + 1), middle = (below + above) / 2;
        for (const double sign : {1.0, -1.0}) {
            EXPECT_EQ(pi::round_to_half(sign * middle), sign * (bits % 2 == 0 ? below : above)) << bits;
            EXPECT_EQ(pi::round_to_half(sign * std::nextafter(middle, below)), sign * below) << bits;
            EXPECT_EQ(pi::round_to_half(sign * std::nextafter(middle, above)), sign * above) << bits;
        }
    }
}

// Of doubles this function of CUDA's rounds once.
TEST(RoundToHalf, AgreesWithTheConversionOfCuda) {
    std::uint64_t word = 1;
    for (int i = 0; i < 1'000'000; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        const double value = std::ldexp(static_cast<double>(word >> 11), -53 - static_cast<int>(word >> 6 & 31) + 15);
        EXPECT_EQ(pi::round_to_half(value), static_cast<double>(__half2float(__double2half(value)))) << value;
    }
}

// Near the circle a step is rounded by 1/64 of a squared cell at the most, two are rounded, and so is the limit.
TEST(HalfCell, IsTheCircleUpToRounding) {
    for (unsigned x = 0; x < 1024; x += 31) {
        for (unsigned y = 0; y < 1024; y += 31) {
            for (unsigned k = 0; k < 32; k++) {
                for (unsigned l = 0; l < 32; l++) {
                    const double dx = k + (2 * x + 1) / 2048.0, dy = l + (2 * y + 1) / 2048.0;
                    const double distance = dx * dx + dy * dy - 32 * 32;
                    if (std::abs(distance) > 1.0 / 16) {
                        ASSERT_EQ(pi::half_cell_hit(k, l, {x, y}), distance < 0)
                            << k << " " << l << " " << x << " " << y;
                    }
                }
            }
        }
    }
}

TEST(HalfCell, MirroredOffsetsAddUpToOne) {
    for (unsigned word : {0u, 0xffffffffu, 0x12345678u, 0x03ff0000u}) {
        const pi::CellOffset offset = pi::offset_of(word), other = pi::mirrored(offset);
        EXPECT_EQ(2 * offset.x + 1 + 2 * other.x + 1, 2048u);
        EXPECT_EQ(2 * offset.y + 1 + 2 * other.y + 1, 2048u);
    }
}

TEST(MaskSum, CountsTheMasksOfBothHalves) {
    for (const unsigned low : {0u, 1u, 2u, 87u, 352u, 30000u}) {
        for (const unsigned high : {0u, 1u, 2u, 87u, 352u, 30000u}) {
            EXPECT_EQ(pi::masks_in_sum(low * 0x0000ffffu + high * 0xffff0000u), low + high) << low << " " << high;
        }
    }
}

// Each x of a group meets each y of it once in a step, and all lanes have their two x and their y in one group.
TEST(TensorSample, AreAllPairsOfAGroup) {
    std::vector<unsigned> seen(32 * 2 * 32);
    for (unsigned lane = 0; lane < 32; lane++) {
        for (unsigned i = 0; i < pi::tensor_step_samples; i++) {
            const pi::TensorSample s = pi::tensor_sample(lane, i);
            ASSERT_LT(s.lane_of_x, 32u);
            ASSERT_LT(s.half_of_x, 2u);
            ASSERT_LT(s.lane_of_y, 32u);
            EXPECT_EQ(s.lane_of_x % pi::tensor_groups, s.lane_of_y % pi::tensor_groups) << lane << " " << i;
            EXPECT_EQ(s.lane_of_x % pi::tensor_groups, i / 4) << lane << " " << i;
            EXPECT_EQ(seen[(s.lane_of_x * 2 + s.half_of_x) * 32 + s.lane_of_y]++, 0u) << lane << " " << i;
        }
    }
}

}  // namespace
