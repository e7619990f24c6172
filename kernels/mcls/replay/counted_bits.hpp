// The bits of walkers that are counted, drawn on the host.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/random/draws.cuh"

namespace mcls {

/// The bits that are set. std::popcount would be a call, as not every machine has an instruction for it.
inline std::uint32_t ones_in(std::uint32_t word) {
    word -= word >> 1 & 0x55555555;
    word = (word & 0x33333333) + (word >> 2 & 0x33333333);
    return ((word + (word >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/// The part of a word that belongs to the next walkers, of whom `left` are left.
inline std::uint32_t part_of(std::uint32_t word, std::uint32_t left) {
    return left < 32 ? word & ((1u << left) - 1) : word;
}

/// Those that are left after a word.
inline std::uint32_t after(std::uint32_t left) { return left - std::min(left, 32u); }

/// The words of AlternatingMrgDraws, a round at a time.
class Rounds {
 public:
    static constexpr unsigned round = rng::AlternatingMrgDraws::round;
    using Round = std::array<std::uint32_t, round>;

    explicit Rounds(const bench::StreamId& id) {
        for (unsigned i = 0; i < round; i++) x_[i] = rng::state_of(id, i);
        x_[0] |= 1;
    }

    /// The first `drawn` words of a round; the others are not computed.
    Round next(unsigned drawn = round) {
        constexpr unsigned lag = rng::AlternatingMrgDraws::short_lag;
        Round words;
        std::uint32_t before = x_[round - 1];
#pragma GCC unroll 20
        for (unsigned i = 0; i < round; i++) {
            x_[i] = rng::mrg_multiplier * x_[i] + x_[i < lag ? i + round - lag : i - lag];
        }
        for (unsigned i = 0; i < drawn; i++) {
            words[i] = i % 2 == 0 ? rng::dot_of_bytes(before, rng::AlternatingMrgDraws::factors, x_[i])
                                  : x_[i] + (before >> 16);
            before = x_[i];
        }
        return words;
    }

    /// How many of these walkers draw a one.
    std::uint32_t ones_among(std::uint32_t walkers) {
        std::uint32_t ones = 0, left = walkers;
        for (; left >= 32 * round; left -= 32 * round) {
            for (const std::uint32_t word : next()) ones += ones_in(word);
        }
        if (left == 0) return ones;
        for (const std::uint32_t word : next()) {
            ones += ones_in(part_of(word, left));
            left = after(left);
        }
        return ones;
    }

 private:
    Round x_;
};

}  // namespace mcls
