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

/// Four words in a row of a lane get dot products of bytes with the first factors, twice, and with the second ones, twice.
inline constexpr unsigned first_tensor_factors = 0xd9c9a5a1, second_tensor_factors = 0xa1a5c9d9;
inline constexpr unsigned mixed_at_once = 4;

/// A word to take the dot product of: of the last two that a lane drew before the four, 0 being the older one.
struct DottedWord {
    unsigned lane, word;
};

/// What is added to word `i` of four of `lane`. That word is an element of the product of 16 rows of factors and 8 columns of
/// bytes, in row lane / 4, plus 8 for i = 2 and 3, and column 2 (lane % 4), plus 1 for i = 1 and 3. Column c has the bytes of
/// lanes 4 c to 4 c + 3 (PTX ISA, "Matrix fragments for mma.m16n8k32"). Row r holds factors where word r / 4 % 2 of lane
/// 4 c + r % 4 is, and else 0. So each of 64 words is taken twice, once with either factors.
inline DottedWord dotted_word(unsigned lane, unsigned i) {
    const unsigned row = lane / 4, column = lane % 4 * 2 + i % 2;
    return {4 * column + row % 4, row / 4};
}

}  // namespace pi
