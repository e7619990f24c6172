// What the steps share that draw normals with Wallace's generator: their loop, their memory, their record.
#pragma once

#include <cuda_runtime.h>

#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/random/normals/wallace.cuh"
#include "kernels/random/normals/wallace_block.hpp"
#include "kernels/random/normals/wallace_pools.hpp"

namespace normals {

inline constexpr unsigned wallace_passes = normals_per_group / rng::of_thread;  // for each group

/// Step::loops_from: so many groups take more factors than the threads of a block make at once, two each.
inline constexpr unsigned wallace_loops_from = 2 * rng::pool_threads / wallace_passes + 1;

/// Pools and factors. With --store the ring is before them.
struct WallaceNormals {
    rng::WallaceMemory wallace;
    float* ring;
};

#ifdef __CUDACC__

/// Where a block stores the numbers of its pass: pass by pass, and block by block, they follow each other.
__device__ __forceinline__ float* place_in_ring(float* ring, std::size_t pass) {
    constexpr std::size_t pools = ring_bytes / sizeof(float) / rng::pool_size;
    return ring + (pass * gridDim.x + blockIdx.x) % pools * rng::pool_size;
}

/// A block's normals: draws `iters` groups a thread, publishes their sums, and stores the normals if `stored`.
template <typename Pool, bool stored>
__device__ __forceinline__ void draw_wallace(bench::Count* counts, unsigned iters, std::uint64_t seed,
                                             std::uint64_t launch, WallaceNormals memory) {
    __shared__ float shared[Pool::words];
    Pool pool(shared, memory.wallace.pools + std::size_t{blockIdx.x} * rng::pool_size,
              rng::first_m(seed, launch, blockIdx.x));
    const auto* factors =
        reinterpret_cast<const float2*>(memory.wallace.factors + std::size_t{blockIdx.x} * memory.wallace.passes);
    std::size_t passes = 0;

    Consumer<InRegisters> consume(nullptr);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned trip = 0; trip < wallace_passes / 2; trip++) {
            const float2 pair = *factors++;
#pragma unroll
            for (unsigned turn = 0; turn < 2; turn++) {
                float x[rng::of_thread];
                pool.pass(x, turn);
                float* const out = stored ? place_in_ring(memory.ring, passes++) : nullptr;
                const float factor = turn == 0 ? pair.x : pair.y;
#pragma unroll
                for (unsigned k = 0; k < rng::of_thread; k += 2) {
                    const rng::NormalPair z = {__fmul_rn(factor, x[k]), __fmul_rn(factor, x[k + 1])};
                    consume(z);
                    if (stored) {
                        out[pool.output(k)] = z.sine;
                        out[pool.output(k + 1)] = z.cosine;
                    }
                }
            }
        }
        consume.end_group();
    }
    consume.publish(counts);
}

#endif

template <bool stored>
std::size_t wallace_bytes(bench::Shape shape, unsigned iters) {
    return (stored ? ring_bytes : 0) + rng::wallace_bytes(shape.blocks, std::uint64_t{iters} * wallace_passes);
}

template <bool stored>
WallaceNormals wallace_normals(const bench::Launch& l) {
    auto* const ring = static_cast<float*>(l.scratch);
    return {rng::wallace_memory(stored ? ring + ring_bytes / sizeof(float) : ring, l, wallace_passes), ring};
}

/// The phase that makes pools and factors.
template <bool stored>
cudaError_t fill_pools(const bench::Launch& l) {
    return rng::fill_wallace_memory(l, wallace_normals<stored>(l).wallace);
}

/// What is independent are the pools. The variance within a launch is not judged.
/// @param normals of a block
inline std::shared_ptr<const bench::Estimand> wallace_estimand(rng::NormalsOf normals) {
    bench::MeansOf what =
        bench::means_of(*estimand("Wallace, pools of 2048", bench::Soundness::demonstration, of_normal, normals));
    what.replay.together = rng::pool_threads;
    what.independent = bench::Independent::counts;
    what.reference = "exact: pools are scaled, and the chi factors have a mean square of 1";
    for (bench::Statistic& statistic : what.statistics) statistic.kurtosis = 0;
    return bench::means(what);
}

/// As stored_form, with pools and factors behind the ring.
inline bench::Step stored_wallace(const bench::Step& step, const char* name, const void* kernel,
                                  cudaError_t (*sample)(const bench::Launch&)) {
    bench::Step stored = stored_form(step, name, kernel, sample);
    stored.scratch_bytes = wallace_bytes<true>;
    stored.phases[0].run = fill_pools<true>;
    return stored;
}

}  // namespace normals
