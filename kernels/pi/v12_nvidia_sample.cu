// Step 12: the structure of NVIDIA's sample
// Change: against v4, the structure of MC_EstimatePiInlineP (CUDA Samples): one kernel sets up every thread's generator
//         in global memory. A second one loads it, walks a grid-stride loop and adds up in a shared-memory tree.
// Why:    to compare with a program that was written to show cuRAND clearly. Predicted: slower than v4. Set-up is
//         inside the timed region, and 10 blocks of 256 threads per multiprocessor are more than fit at once.
// Cost:   35.0 instructions per sample, 10 over v4: the compiler does not unroll a loop with a 64-bit index and stride.
//         Each thread also stores and loads 48 bytes of state.
// Limit:  the ALU pipe, as in v4, and the uneven last wave of blocks. This ends the source's ladder.
#include "bench/step.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v12 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 256;       // the sample's
constexpr unsigned blocks_per_sm = 10;  // the sample's
constexpr unsigned max_threads = 1024;

__global__ void __launch_bounds__(max_threads) initRNG(curandState* states, std::uint64_t seed, std::uint64_t launch) {
    curand_init(seed, rng::subsequence(launch), 0, &states[rng::grid_thread()]);
}

/// Sum over the block of `mine`, valid in thread 0. blockDim.x is a power of two.
__device__ Count reduce_sum(Count mine) {
    extern __shared__ Count sdata[];
    sdata[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) {
            sdata[threadIdx.x] += sdata[threadIdx.x + s];
        }
        __syncthreads();
    }
    return sdata[0];
}

__global__ void __launch_bounds__(max_threads)
    computeValue(Count* results, const curandState* states, std::uint64_t samples) {
    curandState rng = states[rng::grid_thread()];
    Count hits = 0;
    for (std::uint64_t i = rng::grid_thread(); i < samples; i += rng::grid_threads()) {
        const float x = curand_uniform(&rng);
        const float y = curand_uniform(&rng);
        hits += is_hit(x, y) ? 1 : 0;
    }

    hits = reduce_sum(hits);
    if (threadIdx.x == 0) {
        results[blockIdx.x] = hits;
    }
}

std::size_t states_bytes(bench::Shape shape, unsigned) { return bench::total_threads(shape) * sizeof(curandState); }

cudaError_t setup(const Launch& l) {
    initRNG<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(static_cast<curandState*>(l.scratch), l.seed, l.index);
    return cudaGetLastError();
}

cudaError_t launch(const Launch& l) {
    const std::uint64_t samples = bench::total_threads(l.shape) * l.iters;
    computeValue<<<l.shape.blocks, l.shape.threads, bench::one_count_per_thread(l.shape.threads), l.stream>>>(
        l.counts, static_cast<const curandState*>(l.scratch), samples);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v12",
    .after = "v4",
    .title = "NVIDIA sample style",
    .technique = "generator states in global memory, 2 kernels, tree in shared memory",
    .lesson = "What a clear sample pays for its structure, with the generator of v4.",
    .estimand = bench::hits({.source = sources::xorwow}),
    .accepted_threads = bench::Threads::powers_of_two,
    .default_blocks_per_sm = blocks_per_sm,
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(computeValue),
    .dynamic_shared_bytes = bench::one_count_per_thread,
    .scratch_bytes = states_bytes,
    .phases = {{"seed", setup}, {"sample", launch}},
};

}  // namespace pi::v12
