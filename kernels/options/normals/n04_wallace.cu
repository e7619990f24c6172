// Step 4: Wallace
// Change: normals come from other normals, by the chapter's generator: pools of 2048 in shared memory, orthogonal 4x4
//         matrices, and a permutation that an LCG chooses (kernels/random/normals/wallace.cuh).
// Why:    a normal costs two additions and a multiplication, with no logarithm, root, sine or cosine. On the chapter's GPU
//         it was the fastest generator, 1.2 times the rate of n3. Predicted: 929 normals/ns, less than n3.
// Cost:   12.0 instructions per normal, one read and one write of shared memory. The reads of a warp go to 4 of the 32
//         banks, 8 to each, whatever m is: 9 wavefronts for 32 normals.
// Limit:  shared memory, whose banks the reads share; --store: shared memory, on an H100 DRAM. Next: another
//         order of the pool.
// Note:   the generator is unsound by construction: each normal is half of each of four earlier ones, added up
//         (options_wallace_tests). What is independent in a run is its pools. Unlike the chapter's code, each pool has an
//         m of its own, is scaled to a sum of squares of K, and takes the chi factor for that K.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/wallace_normals.cuh"

namespace normals::n4 {

using bench::Count;
using bench::Launch;

template <bool stored>
__global__ void __launch_bounds__(rng::pool_threads)
    sum_normals(Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch, WallaceNormals memory) {
    draw_wallace<rng::SourcePool<rng::SourceLayout>, stored>(counts, iters, seed, launch, memory);
}

template <bool stored>
cudaError_t launch(const Launch& l) {
    sum_normals<stored><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index,
                                                                          wallace_normals<stored>(l));
    return cudaGetLastError();
}

extern const bench::Step step, stored;
const bench::Step step = {
    .name = "n4",
    .after = "n3",
    .title = "Wallace",
    .technique = "pools in shared memory, orthogonal matrices",
    .lesson = "A generator without a logarithm gains nothing if its reads meet in a few banks of shared memory.",
    .estimand = wallace_estimand(rng::normals_of_source_threads),
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
    stored_wallace(step, "n4_store", reinterpret_cast<const void*>(sum_normals<true>), launch<true>);

}  // namespace normals::n4
