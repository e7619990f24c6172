#include "kernels/random/draws.cuh"
#include "kernels/random/normals/box_muller.cuh"
#include "kernels/random/normals/wallace.cuh"
#include "kernels/random/normals/wallace_pools.hpp"
#include "kernels/random/thread_id.cuh"

namespace rng {
namespace {

/// The sum of `value` over the threads of the block, for all of them.
__device__ float block_sum(float value) {
    constexpr unsigned warp = 32;
    __shared__ float of_warps[pool_threads / warp];
    for (unsigned offset = warp / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
    if (threadIdx.x % warp == 0) of_warps[threadIdx.x / warp] = value;
    __syncthreads();
    float sum = 0;
    for (const float of_warp : of_warps) sum += of_warp;
    return sum;
}

__device__ void fill_pool(float* pool, Philox7Draws& draw) {
    float x[of_thread], squares = 0;
#pragma unroll
    for (unsigned j = 0; j < of_thread; j += 2) {
        const unsigned radius = draw();
        const NormalPair pair = normal_pair(radius, draw());
        x[j] = pair.sine;
        x[j + 1] = pair.cosine;
        squares += x[j] * x[j] + x[j + 1] * x[j + 1];
    }
    const float scale = sqrtf(pool_size / block_sum(squares));
#pragma unroll
    for (unsigned j = 0; j < of_thread; j++) pool[j * pool_threads + threadIdx.x] = scale * x[j];
}

__device__ void fill_factors(float* factors, unsigned passes, Philox7Draws& draw) {
    for (unsigned i = 2 * threadIdx.x; i < passes; i += 2 * pool_threads) {
        const unsigned radius = draw();
        const NormalPair pair = normal_pair(radius, draw());
        factors[i] = chi_factor(pair.sine);
        if (i + 1 < passes) factors[i + 1] = chi_factor(pair.cosine);
    }
}

__global__ void __launch_bounds__(pool_threads) fill(WallaceMemory memory, std::uint64_t seed, std::uint64_t launch) {
    Philox7Draws draw({seed, launch, grid_threads(), grid_thread()});
    fill_pool(memory.pools + std::size_t{blockIdx.x} * pool_size, draw);
    fill_factors(memory.factors + std::size_t{blockIdx.x} * memory.passes, memory.passes, draw);
}

}  // namespace

std::size_t wallace_bytes(unsigned blocks, std::uint64_t passes) {
    return bench::bytes_of(blocks * (pool_size + passes), sizeof(float));
}

WallaceMemory wallace_memory(void* at, const bench::Launch& l, unsigned passes) {
    auto* const pools = static_cast<float*>(at);
    return {pools, pools + std::size_t{l.shape.blocks} * pool_size, l.iters * passes};
}

cudaError_t fill_wallace_memory(const bench::Launch& l, const WallaceMemory& memory) {
    fill<<<l.shape.blocks, pool_threads, 0, l.stream>>>(memory, l.seed, l.index);
    return cudaGetLastError();
}

}  // namespace rng
