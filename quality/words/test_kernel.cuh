// What the kernels of the battery have in common.
//
// A test is a class with
//   Generator, block (threads of a block), words_of_trip, sums (their number), shared_bytes of a block;
//   on_gpu(sums, part), which a kernel runs, and on_host(sums, part, thread), which adds a thread's sums on the host;
//   findings(sums, words).
#pragma once

#include "kernels/random/thread_id.cuh"
#include "quality/words/battery.hpp"
#include "quality/words/generators.cuh"

namespace quality::words {

using bench::Count;

template <typename T>
__global__ void __launch_bounds__(T::block, 1) run_test(Count* sums, Part part) {
    T::on_gpu(sums, part);
}

template <typename T>
void run_test_on_host(Count* sums, const Part& part) {
    for (std::uint64_t thread = 0; thread < part.threads(); thread++) {
        T::on_host(sums, part, thread);
    }
}

/// A launch of `blocks` blocks, whose threads make `trips` trips each.
template <typename T>
Test test_of(const char* generator, const char* name, unsigned trips, unsigned blocks = 132) {
    return {generator,
            name,
            T::Generator::of_first_words,
            {{blocks, T::block}, trips},
            T::words_of_trip,
            T::sums,
            T::shared_bytes,
            run_test<T>,
            run_test_on_host<T>,
            T::findings};
}

__host__ __device__ __forceinline__ unsigned ones_of(unsigned word) {
#ifdef __CUDA_ARCH__
    return __popc(word);
#else
    return static_cast<unsigned>(__builtin_popcount(word));
#endif
}

/// `high` and `low` as one word of 64 bits, its 32 bits from bit `shift` on; `shift` is below 32.
__host__ __device__ __forceinline__ unsigned funnel_right(unsigned low, unsigned high, unsigned shift) {
#ifdef __CUDA_ARCH__
    return __funnelshift_r(low, high, shift);
#else
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> shift);
#endif
}

__host__ __device__ __forceinline__ unsigned majority(unsigned a, unsigned b, unsigned c) {
    return (a & b) | (a & c) | (b & c);
}

/// Adds carries to the sum of words of weight 1, 2, 4, ... in planes: where a plane holds a word already, three words of its weight
/// become one, and one of twice the weight. `number` is the number of the word; a constant wherever calls are unrolled. Returns true,
/// with `word` replaced by one of weight 2^levels, for the last of 2^levels words.
template <unsigned levels>
struct CarrySave {
    unsigned sum[levels] = {}, held[levels] = {};

    __host__ __device__ __forceinline__ bool add(unsigned& word, unsigned number) {
#pragma unroll
        for (unsigned level = 0; level < levels; level++) {
            if ((number >> level & 1) == 0) {
                held[level] = word;
                return false;
            }
            const unsigned carry = majority(sum[level], held[level], word);
            sum[level] ^= held[level] ^ word;
            word = carry;
        }
        return true;
    }
};

inline std::vector<std::int64_t> as_signed(const Count* first, std::size_t n) { return {first, first + n}; }

}  // namespace quality::words
