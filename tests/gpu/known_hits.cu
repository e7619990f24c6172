#include "kernels/pi/device/block_sum.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"
#include "tests/gpu/known_hits.hpp"

using bench::Count;
using bench::Independent;
using bench::Launch;
using bench::Step;

namespace {

constexpr unsigned alike = 4;  // throws of a coin whose counts are independent, and no more

/// Whether throw `i` of this thread hits.
__device__ bool hits(Independent independent, unsigned i, std::uint64_t seed, std::uint64_t launch) {
    if (independent == Independent::launches && i > 0) {
        return (i + rng::grid_thread()) % 2 == 0;
    }
    const unsigned toss = independent == Independent::counts ? i / alike : i;
    return rng::stream_seed(seed, launch, rng::grid_thread(), toss) >> 31 != 0;
}

__global__ void __launch_bounds__(1024) count_coin(Count* totals, Independent independent, Fault fault, unsigned iters,
                                                   std::uint64_t seed, std::uint64_t launch) {
    if (fault == Fault::unwritten_count && blockIdx.x == 1) {
        return;
    }
    const bool drops = (fault == Fault::dropped_warp && blockIdx.x == 1 && threadIdx.x / 32 == 1) ||
                       (fault == Fault::dropped_block && blockIdx.x == 1) || fault == Fault::dropped_launch;
    const bool doubles = fault == Fault::block_twice && blockIdx.x == 1;
    const Count weight = launch > 0 ? 1 : drops ? 0 : doubles ? 2 : 1;
    const std::uint64_t drawn = fault == Fault::launches_alike || (fault == Fault::repeated_launch && launch == 16) ? 0
                                : fault == Fault::launches_in_twos ? launch / 2
                                                                   : launch;
    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        local += hits(independent, i, seed, drawn) ? weight : 0;
    }
    pi::store_block_sum(local, &totals[blockIdx.x]);
}

template <Independent independent, Fault fault>
cudaError_t launch_coin(const Launch& l) {
    count_coin<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, independent, fault, l.iters, l.seed,
                                                                 l.index);
    return cudaGetLastError();
}

/// The launch function of a fault.
template <Independent independent>
auto launch_with(Fault fault) {
    constexpr cudaError_t (*launches[])(const Launch&) = {launch_coin<independent, Fault::none>,
                                                          launch_coin<independent, Fault::unwritten_count>,
                                                          launch_coin<independent, Fault::dropped_warp>,
                                                          launch_coin<independent, Fault::dropped_block>,
                                                          launch_coin<independent, Fault::dropped_launch>,
                                                          launch_coin<independent, Fault::block_twice>,
                                                          launch_coin<independent, Fault::repeated_launch>,
                                                          launch_coin<independent, Fault::launches_in_twos>,
                                                          launch_coin<independent, Fault::launches_alike>};
    return launches[static_cast<int>(fault)];
}

/// Counts every sample, or none.
template <bool every>
__global__ void __launch_bounds__(1024) count_all_or_none(Count* totals, unsigned iters) {
    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        local += every ? 1 : 0;
    }
    pi::store_block_sum(local, &totals[blockIdx.x]);
}

template <bool every>
cudaError_t launch_all_or_none(const Launch& l) {
    count_all_or_none<every><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters);
    return cudaGetLastError();
}

cudaError_t launch_with_too_much_shared_memory(const Launch& l) {
    count_all_or_none<true><<<l.shape.blocks, l.shape.threads, 1 << 20, l.stream>>>(l.counts, l.iters);
    return cudaGetLastError();
}

const bench::Source half = {
    .name = "none",
    .generator = "none",
    .soundness = bench::Soundness::demonstration,
    .expected = {1, 2.0},
    .log2_cycle_samples = 63,
};

Step version(cudaError_t (*launch)(const Launch&), const void* kernel, const bench::HitsOf& what = {.source = half}) {
    return {
        .name = "test",
        .title = "known hits",
        .technique = "known hits",
        .lesson = "known hits",
        .estimand = bench::hits(what),
        .default_threads = 1024,
        .default_iters = 1000,
        .kernel = kernel,
        .phases = {{"sample", launch}},
    };
}

double variance_of_alike(unsigned) { return alike; }

}  // namespace

Step always_hit() { return version(launch_all_or_none<true>, reinterpret_cast<const void*>(count_all_or_none<true>)); }
Step never_hit() { return version(launch_all_or_none<false>, reinterpret_cast<const void*>(count_all_or_none<false>)); }
Step coin_that_cannot_be_launched() {
    return version(launch_with_too_much_shared_memory, reinterpret_cast<const void*>(count_all_or_none<true>));
}

Step coin(Independent independent, Fault fault) {
    const auto launch = independent == Independent::samples  ? launch_with<Independent::samples>(fault)
                        : independent == Independent::counts ? launch_with<Independent::counts>(fault)
                                                             : launch_with<Independent::launches>(fault);
    const bench::HitsOf what = {.source = half,
                                .independent = independent,
                                .variance_ratio = independent == Independent::counts ? variance_of_alike : nullptr};
    return version(launch, reinterpret_cast<const void*>(count_coin), what);
}
