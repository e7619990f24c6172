// Ablation of step 5: several waves
// Change: as a5, but the grid has eight times as many blocks as the GPU holds at once.
// Why:    the blocks of a5 do not end together. Here another block takes the place of one that has ended, so that warps are
//         missing only once in eight blocks. Predicted: 2 % above a5.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a5_waves {

using bench::Launch;

constexpr unsigned steps = 256;
constexpr unsigned threads = 256;
constexpr unsigned resident = 3;   // blocks of a multiprocessor: 80 registers a thread
constexpr unsigned waves = 8;      // blocks that a place on a multiprocessor has, one after another
constexpr unsigned unrolled = 31;  // steps a trip: whole rounds of the generator's 31 words

template <unsigned n>
__device__ __forceinline__ void walk(LogPath<steps>& path, rng::MrgDraws& draw) {
#pragma unroll
    for (unsigned t = 1; t <= n; t++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        path.step(t, path.move(radius_word, angle_word));
    }
    path.end_group(n);
}

__global__ void __launch_bounds__(threads, resident)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        LogPath<steps> path;
#pragma unroll 1
        for (unsigned groups = steps / unrolled; groups > 0; groups--) walk<unrolled>(path, draw);
        walk<steps % unrolled>(path, draw);
        add_path(&sums, path.excess());
    }
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a5_waves",
    .after = "a5",
    .title = "a5, several waves",
    .technique = "a5 with eight waves of blocks",
    .lesson = "A queue of blocks keeps a multiprocessor full until the last ones.",
    .estimand = bench::means(price_of({.steps = steps,
                                       .generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .normals = normals_of_mrg})),
    .default_blocks_per_sm = waves * resident,
    .default_threads = threads,
    .default_iters = path_steps / steps,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums>,
    .phases = {{"price", launch}},
};

}  // namespace asian::a5_waves
