// Ablation of n5: the threads of n4
// Change: as n5, but threads work as in n4: each computes its eight places to read in each pass, in one copy of the pool
//         with two barriers. Number i of the pool is at i ^ ((i >> 5) & 7), where these threads meet in no bank.
//         Predicted: 2,000 normals/ns, from 16 instructions a normal.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/wallace_normals.cuh"

namespace normals::n5_source_threads {

using bench::Count;
using bench::Launch;

__global__ void __launch_bounds__(rng::pool_threads)
    sum_normals(Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch, WallaceNormals memory) {
    draw_wallace<rng::SourcePool<rng::XorLayout>, false>(counts, iters, seed, launch, memory);
}

cudaError_t launch(const Launch& l) {
    sum_normals<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index,
                                                                  wallace_normals<false>(l));
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "n5_source_threads",
    .after = "n5",
    .title = "Wallace, swizzled, threads of n4",
    .technique = "no bank conflict, computed places to read",
    .lesson = "The part of n5's gain that the banks give.",
    .estimand = wallace_estimand(rng::normals_of_source_threads),
    .accepted_threads = bench::Threads::fixed,
    .default_threads = rng::pool_threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = wallace_loops_from,
    .kernel = reinterpret_cast<const void*>(sum_normals),
    .counts = counts,
    .scratch_bytes = wallace_bytes<false>,
    .phases = {{"pools", fill_pools<false>}, {"sample", launch}},
};

}  // namespace normals::n5_source_threads
