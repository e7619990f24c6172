// Ablation of a3: the pool of n4
// Change: as a3, but shared memory keeps the pool as the chapter does, and threads work as in n4: the reads of a warp meet
//         in 4 banks. Predicted: 465 path-steps/ns, limited by these banks: 18 wavefronts for 32 path-steps.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/wallace_paths.cuh"

namespace asian::a3_source_pool {

using bench::Launch;

constexpr unsigned steps = 256;

__global__ void __launch_bounds__(rng::pool_threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch, rng::WallaceMemory memory) {
    price_with_wallace<rng::SourcePool<rng::SourceLayout>, steps>(counts, iters, seed, launch, memory);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index,
                                                            wallace_memory<steps>(l));
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a3_source_pool",
    .after = "a3",
    .title = "Wallace, the source's pool",
    .technique = "pools in shared memory with bank conflicts",
    .lesson = "What the order of the pool is worth in an application.",
    .estimand = bench::means(wallace_price(steps, normals_of_source_pool)),
    .accepted_threads = bench::Threads::fixed,
    .default_threads = rng::pool_threads,
    .default_iters = path_steps / steps,
    .loops_from = wallace_loops_from<steps>,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums>,
    .scratch_bytes = wallace_bytes<steps>,
    .phases = {{"pools", fill_pools<steps>}, {"price", launch}},
};

}  // namespace asian::a3_source_pool
