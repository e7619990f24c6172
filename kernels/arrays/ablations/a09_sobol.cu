// Ablation of step 9: Sobol's points
// Change: as a9, with cuRAND's quasi-random generator in two dimensions. The test shifts all points of a launch digit by
//         digit by the same two random words, as v17 does.
// Why:    predicted: a word takes one XOR, so it comes as fast as DRAM takes it, 230 to 269 samples/ns in all.
// Note:   only whole launches show an error, at least 16. Every launch makes the same words,
//         so cuRAND must start anew, and waits for the GPU: the host's clock, as in a9.
#include "kernels/arrays/shared/curand_launch.hpp"
#include "kernels/arrays/shared/curand_sources.hpp"
#include "kernels/random/sobol.cuh"

namespace arrays::a9_sobol {

cudaError_t sum_shifted(const bench::Launch& l) {
    return curand_equipment(l).sum.enqueue(words_on_gpu(l), l.counts, l.stream, rng::sobol_shift(l.seed, l.index));
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a9_sobol",
    .after = "a9",
    .title = "a9 with Sobol's points",
    .technique = "cuRAND SOBOL32 into device memory, a random shift for each launch",
    .lesson = "Points that are spread evenly cost hardly more than random ones.",
    .estimand = bench::hits({.source = sources::curand_sobol,
                             .independent = bench::Independent::launches,
                             .most_samples = rng::sobol_points}),
    .accepted_threads = bench::Threads::any,
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .equip = equip_curand<rng::sobol_words>,
    .clock = bench::Clock::wall,
    .arrays = {.inspect = inspect_curand_words, .dram = 16},
    .phases = {{"seed", seed_curand}, {"rng", make_curand_words}, {"compute", sum_shifted}},
};

}  // namespace arrays::a9_sobol
