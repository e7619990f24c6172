// The words of v20_tensor_words: those of a plain recurrence, mixed four at a time by a matrix product of a whole warp.
#pragma once

#include <cuda_runtime.h>

#include "kernels/random/draws.cuh"

namespace pi {

/// The recurrence of each lane: that of AlternatingMrg, whose 20 words are five times four.
using TensorMrg = rng::Mrg<20, 3>;
inline constexpr unsigned tensor_mrg_words = 20;

inline constexpr rng::Generator tensor_words_generator = {
    .name = "MRG 20, 3 modulo 2^32, plus dot products of another lane's bytes", .log2_cycle = 51, .lagged = true};

inline constexpr unsigned mixed_at_once = 4;

/// The factors of the bytes for word `i` of four.
__host__ __device__ inline unsigned tensor_factors(unsigned i) { return i < 2 ? 0xd9c9a5a1 : 0xa1a5c9d9; }

/// Whose bytes word `i` of four of a lane gets a dot product of: of the last two words before the four, 0 being the older one.
struct DottedWord {
    unsigned lane, word;
};

/// The words of a warp are the elements of a product of 16 rows of factors and 8 columns of bytes. Word `i` of `lane` is in row
/// lane / 4, plus 8 for i = 2 and 3, and in column 2 (lane % 4), plus 1 for i = 1 and 3. Column c has the bytes of lanes 4 c to
/// 4 c + 3 (PTX ISA, "Matrix fragments for mma.m16n8k32"). Row r has factors where word r / 4 % 2 of lane 4 c + r % 4 is, and 0
/// elsewhere. So each of the 64 words is taken twice, once with either factors.
inline DottedWord dotted_word(unsigned lane, unsigned i) {
    const unsigned row = lane / 4, column = lane % 4 * 2 + i % 2;
    return {4 * column + row % 4, row / 4};
}

/// The part of a lane in the rows, as the instruction takes it: four bytes of rows lane / 4 and lane / 4 + 8 for the older of
/// two words of lane 4 c + lane % 4, then the same for the newer one.
struct TensorRows {
    unsigned of[4];
};
__host__ __device__ inline TensorRows tensor_rows(unsigned lane) {
    const unsigned row = lane / 4;
    const bool taken = row % 4 == lane % 4, newer = row / 4 == 1;
    const unsigned first = taken ? tensor_factors(0) : 0, second = taken ? tensor_factors(2) : 0;
    return newer ? TensorRows{0, 0, first, second} : TensorRows{first, second, 0, 0};
}

}  // namespace pi
