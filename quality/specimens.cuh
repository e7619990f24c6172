// Generators with known faults that the battery must find: controls and warning examples.
#pragma once

#include "kernels/random/draws.cuh"

namespace quality {

/// A sample of a bit-sliced specimen takes this many leading bits of x, then of y. They decide nearly all samples.
inline constexpr unsigned bits_of_a_coordinate = 8;

/// Control: the same word for ever.
class ConstantDraws {
 public:
    __host__ __device__ explicit ConstantDraws(const bench::StreamId&) {}
    __host__ __device__ unsigned operator()() { return 0x5bd1e995u; }
};

/// Control: thread t counts up from t.
class CounterDraws {
 public:
    __host__ __device__ explicit CounterDraws(const bench::StreamId& id) : next_(static_cast<unsigned>(id.thread)) {}
    __host__ __device__ unsigned operator()() { return next_++; }

 private:
    unsigned next_;
};

/// Control: Philox with one bit always set.
class StuckBitDraws {
 public:
    __host__ __device__ explicit StuckBitDraws(const bench::StreamId& id) : philox_(id) {}
    __host__ __device__ unsigned operator()() { return philox_() | 1u << stuck_bit; }

 private:
    static constexpr unsigned stuck_bit = 5;
    rng::PhiloxDraws philox_;
};

/// Warning example: a generator of 32 bits of state whose streams are seeded with base + thread id.
template <unsigned (*generator)(unsigned*)>
class ConsecutiveSeedDraws {
 public:
    __host__ __device__ explicit ConsecutiveSeedDraws(const bench::StreamId& id)
        : state_(static_cast<unsigned>(id.seed + rng::subsequence_of(id))) {}
    __host__ __device__ unsigned operator()() { return generator(&state_); }

 private:
    unsigned state_;
};

/// Warning example: a bit-sliced linear feedback shift register of the trinomial x^degree + x^tap + 1. Each of the 32 bits
/// of a word is one register: w[n] = w[n - degree] ^ w[n - degree + tap]. The trinomials used here are primitive (Zierler,
/// Brillhart, "On primitive trinomials (mod 2)", Information and Control 13, 1968).
template <unsigned degree, unsigned tap>
class TrinomialDraws {
 public:
    __host__ __device__ explicit TrinomialDraws(const bench::StreamId& id) {
        for (unsigned i = 0; i < degree; i++) {
            words_[i] = rng::state_of(id, i);
        }
    }
    __host__ __device__ unsigned operator()() {
        const unsigned other = at_ + tap < degree ? at_ + tap : at_ + tap - degree;
        const unsigned word = words_[at_] ^= words_[other];
        at_ = at_ + 1 < degree ? at_ + 1 : 0;
        return word;
    }

 private:
    unsigned words_[degree];
    unsigned at_ = 0;
};

}  // namespace quality
