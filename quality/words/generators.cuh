// The generators whose words the battery reads, and the lags at which it looks.
#pragma once

#include "kernels/random/draws.cuh"
#include "quality/words/part.cuh"

namespace quality::words {

/// The words of one stream of each thread, as steps draw them. x[n] depends on x[n - s] and x[n - r]; of generators without such
/// a recurrence the lags are those of another one.
template <typename Draws_, unsigned s_, unsigned r_>
struct Streams {
    using Draws = Draws_;
    static constexpr unsigned s = s_, r = r_;
    static constexpr bool of_first_words = false;

    __host__ __device__ __forceinline__ static Draws draws(const Part& part, std::uint64_t thread) {
        return Draws(bench::StreamId{part.seed, part.launch, part.threads(), thread});
    }
};

/// The first words of a stream. Not inlined, or most of a kernel would be copies of a generator's start.
template <typename Draws, unsigned length>
__host__ __device__ __noinline__ void first_words(const bench::StreamId& id, unsigned (&words)[length]) {
    Draws draw(id);
#pragma unroll
    for (unsigned& word : words) {
        word = draw();
    }
}

/// The first words of successive streams as one sequence.
template <typename Draws>
class FirstDraws {
 public:
    static constexpr unsigned length = 16;  // words of a stream

    __host__ __device__ __forceinline__ FirstDraws(const bench::StreamId& first, Order order)
        : id_(first), order_(order) {}

    __host__ __device__ __forceinline__ unsigned operator()() {
        if (at_ == 0) {
            first_words<Draws>(id_, words_);
            id_.thread += order_ == Order::threads ? 1 : 0;
            id_.launch += order_ == Order::launches ? 1 : 0;
            id_.seed += order_ == Order::seeds ? 1 : 0;
        }
        const unsigned word = words_[at_];
        at_ = (at_ + 1) % length;
        return word;
    }

 private:
    bench::StreamId id_;  // of the next stream
    Order order_;
    unsigned words_[length];
    unsigned at_ = 0;  // a constant wherever draws are unrolled by `length`
};

/// Words `s` apart have the same place in successive streams. Each thread reads fewer than 2^24 streams, which are no other
/// thread's of the same seed.
template <typename Draws_>
struct FirstWords {
    using Draws = FirstDraws<Draws_>;
    static constexpr unsigned s = Draws::length, r = 2 * s;
    static constexpr bool of_first_words = true;

    __host__ __device__ __forceinline__ static Draws draws(const Part& part, std::uint64_t thread) {
        const std::uint64_t first = (part.launch * part.threads() + thread) << 24;
        switch (part.order) {
            case Order::threads:
                return Draws({part.seed, 0, 1, first}, part.order);
            case Order::launches:
                return Draws({part.seed, part.launch << 24, part.threads(), thread}, part.order);
            default:
                return Draws({part.seed + (part.launch << 24), 0, 1, thread}, part.order);
        }
    }
};

/// Control: AlternatingMrg without its dot products. Exact sums (tests/host/quality/words_test.cpp) give the parity of bit 0 of the
/// draws n, n - 3 and n - 20 a mean of 2^-16.
class ShiftMrgDraws : public rng::Mrg<20, 3> {
 public:
    __host__ __device__ explicit ShiftMrgDraws(const bench::StreamId& id) : Mrg(rng::HashedState{id}) {}
    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned before = x_[19];
        return Mrg::operator()() + (before >> 16);
    }
};

/// Control: the recurrence of AlternatingMrg alone.
class UnmixedMrgDraws : public rng::Mrg<20, 3> {
 public:
    __host__ __device__ explicit UnmixedMrgDraws(const bench::StreamId& id) : Mrg(rng::HashedState{id}) {}
};

/// Control: DotMrg with a factor whose parity of the draws n, n - 5 and n - 17 has a mean of -1.6e-4 in bit 3
/// (tests/host/kernels/random/dot_mrg_test.cpp).
class BadDotMrgDraws : public rng::DotMrg<17, 5, 16, 0x9d89a3b9> {
 public:
    __host__ __device__ explicit BadDotMrgDraws(const bench::StreamId& id) : DotMrg(rng::HashedState{id}) {}
};

/// Control: the words of PhiloxDraws. cuRAND chooses the word of a block by a switch, which costs more than the block where draws
/// are unrolled.
class CountedPhiloxDraws {
 public:
    __host__ __device__ explicit CountedPhiloxDraws(const bench::StreamId& id)
        : key_{{static_cast<unsigned>(id.seed), static_cast<unsigned>(id.seed >> 32)}},
          counter_{{0, 0, static_cast<unsigned>(rng::subsequence_of(id)),
                    static_cast<unsigned>(rng::subsequence_of(id) >> 32)}} {}

    __host__ __device__ __forceinline__ unsigned operator()() {
        if (turn_ == 0) {
            draws_ = rng::philox4x32_10(counter_, key_);
            counter_.word[0]++;  // a thread of the battery draws fewer than 2^32 blocks
        }
        const unsigned draw = turn_ == 0   ? draws_.word[0]
                              : turn_ == 1 ? draws_.word[1]
                              : turn_ == 2 ? draws_.word[2]
                                           : draws_.word[3];
        turn_ = (turn_ + 1) % 4;
        return draw;
    }

 private:
    rng::PhiloxKey key_;
    rng::PhiloxCounter counter_;  // of the next block
    rng::PhiloxCounter draws_ = {};
    unsigned turn_ = 0;
};

}  // namespace quality::words
