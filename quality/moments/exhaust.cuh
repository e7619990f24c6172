// Sums over all 2^32 words.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/workers/check.hpp"
#include "kernels/random/thread_id.cuh"
#include "quality/moments/exhaust.hpp"

namespace normals {

/// Sums over words of a float that each word gives. It is also the type of a block's share.
struct WordSums {
    double power[powers + 1];
    double tail[tails];
    double largest;
    double bad;
};

/// The share of angles for which the radius r, times the sine, exceeds the level.
__host__ __device__ inline double tail_of_radius(double r, double level) {
    constexpr double two_over_pi = 0.63661977236758134308;
    return r > level ? 1 - two_over_pi * asin(level / r) : 0;
}
__host__ __device__ inline double tail_of_normal(double z, double level) { return fabs(z) > level ? 1 : 0; }

__host__ __device__ inline void add(WordSums& sums, const WordSums& more) {
    for (unsigned k = 0; k <= powers; k++) sums.power[k] += more.power[k];
    for (unsigned i = 0; i < tails; i++) sums.tail[i] += more.tail[i];
    sums.largest = fmax(sums.largest, more.largest);
    sums.bad += more.bad;
}

inline constexpr unsigned sum_threads = 256, sum_blocks = 2048;

/// @param value_of float value_of(unsigned word)
/// @param tail_of double tail_of(double value, double level)
template <float (*value_of)(unsigned), double (*tail_of)(double, double)>
__global__ void __launch_bounds__(sum_threads) add_up_words(WordSums* of_blocks) {
    constexpr std::uint64_t words = std::uint64_t{1} << 32;
    WordSums mine = {};
    for (std::uint64_t word = rng::grid_thread(); word < words; word += rng::grid_threads()) {
        const double value = value_of(static_cast<unsigned>(word));
        if (!(fabs(value) < 1e30)) {
            mine.bad++;
            continue;
        }
        double power = 1;
        for (unsigned k = 0; k <= powers; k++) {
            mine.power[k] += power;
            power *= value;
        }
        if (fabs(value) > first_level / 2) {  // a radius may lack a factor, which tail_of knows
            for (unsigned i = 0; i < tails; i++) mine.tail[i] += tail_of(value, first_level + i);
        }
        mine.largest = fmax(mine.largest, fabs(value));
    }

    __shared__ WordSums of_threads[sum_threads];
    of_threads[threadIdx.x] = mine;
    for (unsigned half = sum_threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) add(of_threads[threadIdx.x], of_threads[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) of_blocks[blockIdx.x] = of_threads[0];
}

/// The sums over all words.
template <float (*value_of)(unsigned), double (*tail_of)(double, double)>
WordSums words_summed() {
    WordSums* on_device = nullptr;
    CUDA_CHECK(cudaMalloc(&on_device, sum_blocks * sizeof(WordSums)));
    add_up_words<value_of, tail_of><<<sum_blocks, sum_threads>>>(on_device);
    std::vector<WordSums> of_blocks(sum_blocks);
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t copied =
        cudaMemcpy(of_blocks.data(), on_device, sum_blocks * sizeof(WordSums), cudaMemcpyDeviceToHost);
    CUDA_CHECK(cudaFree(on_device));
    CUDA_CHECK(launched);
    CUDA_CHECK(copied);
    WordSums sums = {};
    for (const WordSums& of_block : of_blocks) add(sums, of_block);
    return sums;
}

inline constexpr double all_words = 4294967296.0;

/// The distribution of the normals that single words give.
inline Exhausted of_one_word(const WordSums& normal) {
    Exhausted exhausted = {};
    for (unsigned k = 0; k <= powers; k++) exhausted.mean_power[k] = normal.power[k] / all_words;
    for (unsigned i = 0; i < tails; i++) exhausted.tail[i] = normal.tail[i] / all_words;
    exhausted.largest = normal.largest;
    exhausted.bad = static_cast<std::uint64_t>(normal.bad);
    return exhausted;
}

/// The distribution of r sin(angle) and r cos(angle), whose radius and angle have words of their own.
/// @param cosine_radius r with the sign that it gives to the cosine
inline Exhausted of_two_words(const WordSums& radius, const WordSums& cosine_radius, const WordSums& sine,
                              const WordSums& cosine) {
    Exhausted exhausted = {};
    for (unsigned k = 0; k <= powers; k++) {
        exhausted.mean_power[k] =
            (radius.power[k] * sine.power[k] + cosine_radius.power[k] * cosine.power[k]) / 2 / (all_words * all_words);
    }
    for (unsigned i = 0; i < tails; i++) exhausted.tail[i] = radius.tail[i] / all_words;
    exhausted.largest = radius.largest * std::max(sine.largest, cosine.largest);
    exhausted.bad = static_cast<std::uint64_t>(radius.bad + cosine_radius.bad + sine.bad + cosine.bad);
    return exhausted;
}

}  // namespace normals
