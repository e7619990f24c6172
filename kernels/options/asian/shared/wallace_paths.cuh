// What the steps share that price the Asian option with Wallace's generator: their loop, their memory, their record.
#pragma once

#include <cuda_runtime.h>

#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/normals/wallace.cuh"
#include "kernels/random/normals/wallace_pools.hpp"

namespace asian {

inline constexpr unsigned steps_of_pass = rng::of_thread / 2;  // two normals a step

/// Step::loops_from: so many paths take more factors than the threads of a block make at once, two each.
template <unsigned steps>
constexpr unsigned wallace_loops_from = 2 * rng::pool_threads / (steps / steps_of_pass) + 1;

#ifdef __CUDACC__

/// A block's paths: `iters` for each thread. The normals of a step come from different groups of four of the pass.
template <typename Pool, unsigned steps>
__device__ __forceinline__ void price_with_wallace(bench::Count* counts, unsigned iters, std::uint64_t seed,
                                                   std::uint64_t launch, rng::WallaceMemory memory) {
    __shared__ float shared[Pool::words];
    Pool pool(shared, memory.pools + std::size_t{blockIdx.x} * rng::pool_size, rng::first_m(seed, launch, blockIdx.x));
    const auto* factors = reinterpret_cast<const float2*>(memory.factors + std::size_t{blockIdx.x} * memory.passes);

    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        PricePath<steps> path;
        for (unsigned trip = 0; trip < steps / steps_of_pass / 2; trip++) {
            const float2 pair = *factors++;
#pragma unroll
            for (unsigned turn = 0; turn < 2; turn++) {
                const float factor = turn == 0 ? pair.x : pair.y;
                float x[rng::of_thread];
                pool.pass(x, turn);
#pragma unroll
                for (unsigned k = 0; k < steps_of_pass; k++) {
                    path.step({factor * x[k], factor * x[k + steps_of_pass]});
                }
            }
        }
        add_path(&sums, path.excess());
    }
    options::publish(sums, counts);
}

#endif

template <unsigned steps>
std::size_t wallace_bytes(bench::Shape shape, unsigned iters) {
    return rng::wallace_bytes(shape.blocks, std::uint64_t{iters} * (steps / steps_of_pass));
}

template <unsigned steps>
rng::WallaceMemory wallace_memory(const bench::Launch& l) {
    return rng::wallace_memory(l.scratch, l, steps / steps_of_pass);
}

/// The phase that makes pools and factors.
template <unsigned steps>
cudaError_t fill_pools(const bench::Launch& l) {
    return rng::fill_wallace_memory(l, wallace_memory<steps>(l));
}

/// What Wallace's numbers do to the price and to the mean excess: they depend on each other, and no closed form says by how
/// much. Measured on an H200 over 3e10 paths (1e11 with 16 steps), against the reference and the closed form. Billions of
/// paths are needed to see it.
struct WallaceBias {
    bench::Expected price, excess;
    double variance_sd = 0.02;  // the variance of the payoff is off by 3 parts in ten thousand
};
inline WallaceBias wallace_bias(unsigned steps) {
    switch (steps) {
        case 16:
            return {{-6.8e-4, 5e-5}, {-7.1e-4, 1e-4}};
        case 64:
            return {{-8.4e-4, 8e-5}, {-6.2e-4, 2e-4}};
        default:
            return {{5.0e-4, 1e-4}, {-3.9e-3, 3e-4}};
    }
}

/// What is independent are the pools.
inline bench::MeansOf wallace_price(unsigned steps, rng::NormalsOf normals) {
    bench::MeansOf what = price_of({.steps = steps,
                                    .generator = "Wallace, pools of 2048",
                                    .soundness = bench::Soundness::demonstration,
                                    .independent = bench::Independent::counts,
                                    .float_error = error_of_products(steps),
                                    .normals = normals});
    const WallaceBias bias = wallace_bias(steps);
    what.replay.together = rng::pool_threads;
    what.bias = bias.price;
    what.statistics[0].variance->sd = bias.variance_sd;
    what.statistics[1].mean.value += bias.excess.value;
    what.statistics[1].mean.sd = bias.excess.sd;
    return what;
}

}  // namespace asian
