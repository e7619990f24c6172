// What the steps share that draw normals with Wallace's generator: their loop, their memory, their record.
#pragma once

#include <cuda_runtime.h>

#include "bench/contract.hpp"
#include "kernels/options/device/published_sums.cuh"
#include "kernels/options/device/wallace.cuh"
#include "kernels/options/device/wallace_pools.hpp"

namespace normals {

inline constexpr unsigned wallace_passes = 16;                                  // for each group of normals
inline constexpr unsigned wallace_group = wallace_passes * options::of_thread;  // normals whose sums are added at once
using WallaceSums = options::PublishedSums<12, 12>;  // of the squares of a group, and of its normals

/// Pools and factors, and a ring of 512 MiB for the normals of a step that stores them.
struct WallaceNormals {
    options::WallaceMemory wallace;
    float* ring;
};
inline constexpr std::size_t ring_passes = (std::size_t{512} << 20) / sizeof(float) / options::pool_size;

/// The numbers of all passes of all blocks follow each other in the ring, pass by pass.
__device__ __forceinline__ float* place_in_ring(float* ring, std::size_t pass) {
    return ring + (pass * gridDim.x + blockIdx.x) % ring_passes * options::pool_size;
}

/// A block's normals: draws `iters` groups a thread, publishes their sums, and stores the normals if `stored`.
template <typename Pool, bool stored>
__device__ __forceinline__ void draw_wallace(bench::Count* counts, unsigned iters, std::uint64_t seed,
                                             std::uint64_t launch, WallaceNormals memory) {
    constexpr unsigned of_load = sizeof(float4) / sizeof(float);
    __shared__ float shared[Pool::words];
    Pool pool(shared, memory.wallace.pools + std::size_t{blockIdx.x} * options::pool_size,
              options::first_m(seed, launch, blockIdx.x));
    const auto* factors =
        reinterpret_cast<const float4*>(memory.wallace.factors + std::size_t{blockIdx.x} * memory.wallace.passes);
    std::size_t pass = 0;

    WallaceSums sums;
    for (unsigned i = 0; i < iters; i++) {
        float sum = 0, squares = 0;
#pragma unroll 1
        for (unsigned j = 0; j < wallace_passes / of_load; j++) {
            const float4 loaded = *factors++;
            const float factor[] = {loaded.x, loaded.y, loaded.z, loaded.w};
#pragma unroll
            for (unsigned turn = 0; turn < of_load; turn++) {
                float x[options::of_thread];
                pool.pass(x, turn);
                float* const out = stored ? place_in_ring(memory.ring, pass++) : nullptr;
#pragma unroll
                for (unsigned k = 0; k < options::of_thread; k++) {
                    const float z = __fmul_rn(factor[turn], x[k]);  // replayed on the CPU bit for bit
                    sum += z;
                    squares = __fmaf_rn(z, z, squares);
                    if (stored) out[pool.output(k)] = z;
                }
            }
        }
        sums.add(squares, sum);
    }
    publish(sums, counts);
}

inline constexpr const char* store_help = "store the normals in memory";

inline std::size_t wallace_counts(bench::Shape shape) { return std::size_t{WallaceSums::columns} * shape.blocks; }

template <bool stored>
std::size_t wallace_scratch_bytes(bench::Shape shape, unsigned iters) {
    return (stored ? ring_passes * options::pool_size * sizeof(float) : 0) +
           options::wallace_bytes(shape.blocks, std::uint64_t{iters} * wallace_passes);
}

template <bool stored>
WallaceNormals wallace_normals(const bench::Launch& l) {
    auto* const ring = static_cast<float*>(l.scratch);
    float* const rest = stored ? ring + ring_passes * options::pool_size : ring;
    return {options::wallace_memory(rest, l, wallace_passes), ring};
}

/// The phase that makes pools and factors.
template <bool stored>
cudaError_t fill_pools(const bench::Launch& l) {
    return options::fill_wallace_memory(l, wallace_normals<stored>(l).wallace);
}

inline std::shared_ptr<const bench::Estimand> wallace_estimand() {
    constexpr double n = wallace_group;
    return bench::means({
        .quantity = "mean of the squares",
        .number = "groups",
        .unit_one = "normal",
        .unit_many = "normals",
        .steps = wallace_group,
        .generator = "Wallace, pools of 2048",
        .soundness = bench::Soundness::demonstration,
        .independent = bench::Independent::counts,
        .statistics = {{.name = "squares", .bits = 12, .mean = {n}, .variance = bench::Known{2 * n}},
                       {.name = "sum", .bits = 12, .mean = {0}, .variance = bench::Known{n}}},
        .reference = "exact: pools have a sum of squares of K",
    });
}

}  // namespace normals
