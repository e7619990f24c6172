// MT19937 on the CPU, a block of words at a time: Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally
// equidistributed uniform pseudo-random number generator", ACM TOMACS 8, 1998. The loops have no branch and no dependence
// between neighbours, so the compiler vectorises them. std::mt19937 has 64-bit words of state and gives one word at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace rng {

class Mt19937 {
 public:
    static constexpr unsigned block_words = 624;
    using Block = std::array<std::uint32_t, block_words>;

    /// `first(i)`: word number i of the state.
    template <typename First>
    explicit Mt19937(First first) {
        for (unsigned i = 0; i < block_words; i++) state_[i] = first(i);
    }

    /// The next words of the sequence.
    inline __attribute__((always_inline)) void next_block(std::span<std::uint32_t, block_words> words) {
        constexpr unsigned middle = 397;
        std::uint32_t* const x = state_.data();
        for (unsigned i = 0; i < block_words - middle; i++) x[i] = x[i + middle] ^ twist(x[i], x[i + 1]);
        for (unsigned i = block_words - middle; i + 1 < block_words; i++) {
            x[i] = x[i + middle - block_words] ^ twist(x[i], x[i + 1]);
        }
        x[block_words - 1] = x[middle - 1] ^ twist(x[block_words - 1], x[0]);
        for (unsigned i = 0; i < block_words; i++) words[i] = temper(x[i]);
    }

 private:
    static std::uint32_t twist(std::uint32_t x, std::uint32_t next) {
        const std::uint32_t y = (x & 0x80000000u) | (next & 0x7fffffffu);
        return (y >> 1) ^ (-(y & 1) & 0x9908b0dfu);
    }

    static std::uint32_t temper(std::uint32_t y) {
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }

    Block state_;
};

/// The sequence of std::mt19937{seed}, any number of words at a time.
class Mt19937Sequence {
 public:
    explicit Mt19937Sequence(std::uint32_t seed)
        : generator_([state = seed](unsigned i) mutable {  // as the C++ standard fills the state
              return i == 0 ? state : state = 1812433253u * (state ^ (state >> 30)) + i;
          }) {}

    /// Writes the next `n` words. Whole blocks go straight to their place.
    inline __attribute__((always_inline)) void fill(std::uint32_t* words, std::uint64_t n) {
        constexpr unsigned all = Mt19937::block_words;
        const auto kept = static_cast<unsigned>(std::min<std::uint64_t>(n, all - taken_));
        words = std::copy_n(block_.data() + taken_, kept, words);
        taken_ += kept;
        for (n -= kept; n >= all; n -= all, words += all)
            generator_.next_block(std::span<std::uint32_t, all>(words, all));
        if (n == 0) return;
        generator_.next_block(block_);
        taken_ = static_cast<unsigned>(n);
        std::copy_n(block_.data(), taken_, words);
    }

 private:
    Mt19937 generator_;
    Mt19937::Block block_;
    unsigned taken_ = Mt19937::block_words;  // of the block
};

}  // namespace rng
