// Step 8: one block
// Change: as a5, but a multiprocessor has one block of 1,024 threads in place of three blocks of 256.
// Why:    the scheduler prefers the warps of one block to those of another. So the blocks of a5 do not end together, and
//         towards the end of a launch too few warps are left to hide each other's latency. The warps of one block
//         advance evenly. A block may also have 32 warps of 64 registers, where 24 warps had 80; each alone:
//         ablations/a08_four_blocks.cu and ablations/a05_waves.cu. Predicted: 1,150 path-steps/ns on an H200, as a
//         sketch reached.
// Cost:   24.6 instructions per path-step, as a5's, and two registers that do not fit are loaded again now and then.
// Limit:  the issue slots (1,365 path-steps/ns) and XU (1,394) alike.
#include <algorithm>

#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a8 {

using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have: 64 registers a thread, a few of which spill
constexpr unsigned unrolled = 31;   // steps a trip: whole rounds of the generator's 31 words
constexpr unsigned most_iters = bench::most_numbers_of_block / threads;

template <unsigned n, unsigned steps>
__device__ __forceinline__ void walk(LogPath<steps>& path, rng::MrgDraws& draw) {
#pragma unroll
    for (unsigned t = 1; t <= n; t++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        path.step(t, path.move(radius_word, angle_word));
    }
    path.end_group(n);
}

template <unsigned steps>
__global__ void __launch_bounds__(threads)
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

template <unsigned steps>
cudaError_t launch(const Launch& l) {
    price<steps><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

template <unsigned steps>
bench::Step step_of(const char* name, const std::shared_ptr<const bench::OwnOptions>& own_options = {}) {
    return {
        .name = name,
        .after = "a5",
        .title = "One block",
        .technique = "one block of 1,024 threads a multiprocessor",
        .lesson = "Warps of one block advance together; those of several blocks do not.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = rng::MrgDraws::generator.name,
                                           .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                           .normals = normals_of_mrg})),
        .default_threads = threads,
        .default_iters = std::min(path_steps / steps, most_iters),
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<Sums>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_16_steps = step_of<16>("a8_steps16");
const bench::Step of_64_steps = step_of<64>("a8_steps64");

extern const bench::Step step;
const bench::Step step = step_of<256>("a8", steps_choice(&of_16_steps, &of_64_steps));

}  // namespace asian::a8
