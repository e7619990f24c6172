// The sums that a block publishes (bench/estimands/means/means_of.hpp): of payoffs or normals, and of their products.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "bench/estimands/means/means_of.hpp"

namespace options {

/// Sums of one thread over its paths or groups of numbers, in whole numbers. Statistic i has a grid of unit 2^-bits[i].
template <int... bits>
class PublishedSums {
 public:
    static constexpr unsigned statistics = sizeof...(bits);
    static constexpr unsigned columns = bench::columns_of(statistics);

    /// Adds one path: its payoff and its other statistics.
    template <typename... Value>
    __host__ __device__ __forceinline__ void add(Value... values) {
        static_assert(sizeof...(Value) == statistics);
        const float value[] = {values...};
        const float units[] = {unit_inverse(bits)...};
        unsigned place[statistics];
        bool good = true;
        for (unsigned i = 0; i < statistics; i++) {
            place[i] = place_of(value[i], units[i]);
            good = good && place[i] < 2 * zero;
            sum_[i] += place[i];
        }
        numbers_++;
        bad_ += good ? 0 : 1;
        positive_ += value[0] > 0 ? 1 : 0;
        unsigned pair = 0;
        for (unsigned i = 0; i < statistics; i++) {
            for (unsigned j = i; j < statistics; j++) {
                product_[pair++] +=
                    static_cast<std::uint64_t>(std::int64_t{signed_place(place[i])} * signed_place(place[j]));
            }
        }
    }

    /// Takes back a path whose values are all 0.
    __host__ __device__ __forceinline__ void take_back_zeros() {
        numbers_--;
        for (std::uint64_t& sum : sum_) sum -= zero;
    }

    /// The value of a column, as a block publishes it.
    __host__ __device__ __forceinline__ bench::Count column(unsigned i) const {
        if (i == 0) return numbers_;
        if (i == 1) return bad_;
        if (i == 2) return positive_;
        if (i < 3 + statistics) return sum_[i - 3];
        const unsigned pair = i - 3 - statistics;
        return product_[pair] + (is_square(pair) ? 0 : bench::Count{numbers_} << 44);
    }

 private:
    static constexpr unsigned pairs = statistics * (statistics + 1) / 2;
    static constexpr unsigned zero = 1u << 22;  // the place of 0

    __host__ __device__ static constexpr float unit_inverse(int exponent) {
        return exponent < 31 ? static_cast<float>(1u << exponent) : static_cast<float>(1ull << exponent);
    }

    /// Rounds to the grid without a conversion, which the slow pipe would do: the last bit of a float between 2^23 and
    /// 2^24 is 1.
    __host__ __device__ static __forceinline__ unsigned place_of(float value, float units) {
        const float shifted = fmaf(value, units, 12582912.0f);  // 2^23 + 2^22
#ifdef __CUDA_ARCH__
        return __float_as_uint(shifted) - 0x4b000000u;
#else
        unsigned word;
        __builtin_memcpy(&word, &shifted, sizeof word);
        return word - 0x4b000000u;
#endif
    }

    __host__ __device__ static __forceinline__ int signed_place(unsigned place) {
        return static_cast<int>(place - zero);
    }

    /// Whether a pair (i, j) has i == j: they begin the rows of the upper triangle.
    __host__ __device__ static constexpr bool is_square(unsigned pair) {
        unsigned row = statistics;
        while (pair >= row) pair -= row--;
        return pair == 0;
    }

    unsigned numbers_ = 0, bad_ = 0, positive_ = 0;
    std::uint64_t sum_[statistics] = {};
    std::uint64_t product_[pairs] = {};
};

#ifdef __CUDACC__
/// Adds up the sums of the block's threads and stores each column at bench::published_at(). All threads of the block
/// call it; blockDim.x is a multiple of 32.
template <typename Sums>
__device__ __forceinline__ void publish(const Sums& mine, bench::Count* counts) {
    constexpr unsigned warp = 32, most_warps = 1024 / warp;
    __shared__ bench::Count of_warps[Sums::columns][most_warps];
    for (unsigned column = 0; column < Sums::columns; column++) {
        bench::Count sum = mine.column(column);
        for (unsigned offset = warp / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (threadIdx.x % warp == 0) of_warps[column][threadIdx.x / warp] = sum;
    }
    __syncthreads();
    if (threadIdx.x < Sums::columns) {
        bench::Count sum = 0;
        for (unsigned i = 0; i < blockDim.x / warp; i++) sum += of_warps[threadIdx.x][i];
        counts[bench::published_at(threadIdx.x, blockIdx.x, gridDim.x)] = sum;
    }
}
#endif

}  // namespace options
