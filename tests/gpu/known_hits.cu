#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"
#include "tests/gpu/known_hits.hpp"

using bench::Count;
using bench::Launch;
using bench::Step;

namespace {

__global__ void __launch_bounds__(1024)
    count_coin(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        local += rng::stream_seed(seed, launch, rng::grid_thread(), i) >> 31;
    }
    pi::store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch_coin(const Launch& l) {
    count_coin<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(1024) count_all(Count* totals, unsigned iters) {
    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        local++;
    }
    pi::store_block_sum(local, &totals[blockIdx.x]);
}

template <std::size_t shared_bytes>
cudaError_t launch_all(const Launch& l) {
    count_all<<<l.shape.blocks, l.shape.threads, shared_bytes, l.stream>>>(l.counts, l.iters);
    return cudaGetLastError();
}

const bench::Source half = {
    .name = "none",
    .generator = "none",
    .soundness = bench::Soundness::demonstration,
    .expected = {1, 2.0},
    .log2_cycle_samples = 63,
};

Step version(cudaError_t (*launch)(const Launch&), const void* kernel) {
    return {
        .name = "test",
        .title = "known hits",
        .technique = "known hits",
        .lesson = "known hits",
        .estimand = bench::hits({.source = half}),
        .default_threads = 1024,
        .default_iters = 1000,
        .kernel = kernel,
        .phases = {{"sample", launch}},
    };
}

}  // namespace

Step always_hit() { return version(launch_all<0>, reinterpret_cast<const void*>(count_all)); }
Step cannot_be_launched() { return version(launch_all<1 << 20>, reinterpret_cast<const void*>(count_all)); }
Step coin() { return version(launch_coin, reinterpret_cast<const void*>(count_coin)); }
