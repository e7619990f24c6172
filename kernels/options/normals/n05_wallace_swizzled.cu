// Step 5: Wallace, swizzled
// Change: as n4, the same numbers bit for bit, but shared memory keeps them in another order, and a thread reads the same
//         eight places in every pass: it does the work of another of n4's threads in each.
// Why:    no two threads of a warp meet in a bank, whatever m is: 2 wavefronts for 32 normals, not 9. The places to read
//         are eight registers, not eight chains of arithmetic. Two copies of the pool in turn save a barrier. Predicted:
//         3,000 normals/ns: shared memory allows 4,182, the issue slots 4,000, and the barriers take their part.
// Cost:   8.6 instructions per normal, one read and one write of shared memory.
// Limit:  the issue slots, closely followed by shared memory; --store: DRAM. Next: sound words that are as cheap.
// Note:   n5_source_threads changes the order alone.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/wallace_normals.cuh"

namespace normals::n5 {

using bench::Count;
using bench::Launch;

/// On a multiprocessor: some work while others wait at their barriers.
template <bool stored>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750  // has room for 1024 threads
constexpr unsigned resident_blocks = 4;
#else
constexpr unsigned resident_blocks = stored ? 5 : 6;
#endif

template <bool stored>
__global__ void __launch_bounds__(rng::pool_threads, resident_blocks<stored>)
    sum_normals(Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch, WallaceNormals memory) {
    draw_wallace<rng::SwizzledPool, stored>(counts, iters, seed, launch, memory);
}

template <bool stored>
cudaError_t launch(const Launch& l) {
    sum_normals<stored><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index,
                                                                          wallace_normals<stored>(l));
    return cudaGetLastError();
}

extern const bench::Step step, stored;
const bench::Step step = {
    .name = "n5",
    .after = "n4",
    .title = "Wallace, swizzled",
    .technique = "no bank conflict, fixed places to read",
    .lesson = "Where shared memory keeps a number is free to choose, and decides the rate.",
    .estimand = wallace_estimand(rng::normals_of_swizzled_threads),
    .accepted_threads = bench::Threads::fixed,
    .default_threads = rng::pool_threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = wallace_loops_from,
    .kernel = reinterpret_cast<const void*>(sum_normals<false>),
    .counts = counts,
    .scratch_bytes = wallace_bytes<false>,
    .phases = {{"pools", fill_pools<false>}, {"sample", launch<false>}},
    .own = {.options = store_option(stored)},
};
const bench::Step stored =
    stored_wallace(step, "n5_store", reinterpret_cast<const void*>(sum_normals<true>), launch<true>);

}  // namespace normals::n5
