// Prices in the manner of NVIDIA's sample MonteCarloMultiGPU, on the paths of our ladders: a block for each option, 256
// threads, XORWOW states in global memory that another kernel sets up, curand_normal, intrinsic exponentials, sums in
// float that a tree in shared memory adds up. All options are the same one.
#pragma once

#include <curand_kernel.h>

#include <cstdint>
#include <vector>

#include "kernels/peers/curand.hpp"
#include "kernels/peers/sums.cuh"

namespace peers {

inline constexpr std::uint64_t seed_of_prices = 1234;
inline constexpr unsigned threads_of_option = 256;

struct OptionSums {
    float sum, squares;
};

inline __global__ void set_up_states(curandState* states) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed_of_prices, thread, 0, &states[thread]);
}

/// Payoff is a function object: a curandState makes a payoff.
template <typename Payoff>
__global__ void __launch_bounds__(threads_of_option)
    price_options(curandState* states, OptionSums* options, unsigned paths_of_thread) {
    __shared__ OptionSums sums[threads_of_option];
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state = states[thread];
    OptionSums mine = {0, 0};
    for (unsigned i = 0; i < paths_of_thread; i++) {
        const float payoff = Payoff{}(&state);
        mine.sum += payoff;
        mine.squares += payoff * payoff;
    }
    states[thread] = state;
    sums[threadIdx.x] = mine;
    for (unsigned half = threads_of_option / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            sums[threadIdx.x].sum += sums[threadIdx.x + half].sum;
            sums[threadIdx.x].squares += sums[threadIdx.x + half].squares;
        }
    }
    if (threadIdx.x == 0) options[blockIdx.x] = sums[0];
}

/// Measures `blocks_per_sm * multiprocessors` options a launch.
template <typename Payoff>
void measure_prices(const char* name, unsigned steps, unsigned paths_of_thread) {
    constexpr unsigned blocks_per_sm = 32;
    const unsigned blocks = blocks_per_sm * multiprocessors();
    const bench::DeviceBuffer<curandState> states(std::size_t{blocks} * threads_of_option);
    const bench::DeviceBuffer<OptionSums> options(blocks);
    set_up_states<<<blocks, threads_of_option>>>(states.data());
    CUDA_CHECK(cudaGetLastError());
    const std::uint64_t paths = std::uint64_t{blocks} * threads_of_option * paths_of_thread;
    measure_mean({name, curand_package(), "cuRAND XORWOW", paths * steps}, paths, [&](std::uint64_t) {
        const double ms = between_events([&] {
            price_options<Payoff><<<blocks, threads_of_option>>>(states.data(), options.data(), paths_of_thread);
        });
        std::vector<OptionSums> sums(blocks);
        CUDA_CHECK(cudaMemcpy(sums.data(), options.data(), blocks * sizeof(OptionSums), cudaMemcpyDeviceToHost));
        TimedSums launch = {ms, 0, 0};
        for (const OptionSums& option : sums) {
            launch.sum += option.sum;
            launch.squares += option.squares;
        }
        return launch;
    });
}

}  // namespace peers
