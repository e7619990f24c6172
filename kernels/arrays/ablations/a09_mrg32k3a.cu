// Ablation of step 9: MRG32k3a
// Change: as a9, with L'Ecuyer's combined recursive generator.
// Why:    predicted: 40 to 50 samples/ns. A word takes products modulo two primes near 2^32.
// Note:   its words are 1 to 4294967087, not 32 random bits, so its probability of a hit differs, by 8e-8. Launch after
//         launch the generator goes on where it stopped, which is where the next launch's words begin. So it is seeded
//         only for a launch that does not follow the last one. Launches are enqueued in advance, and the GPU's clock
//         times them.
#include "kernels/arrays/shared/curand_launch.hpp"
#include "kernels/arrays/shared/curand_sources.hpp"

namespace arrays::a9_mrg32k3a {

extern const bench::Step step;
const bench::Step step = {
    .name = "a9_mrg32k3a",
    .after = "a9",
    .title = "a9 with MRG32k3a",
    .technique = "cuRAND MRG32k3a into device memory",
    .lesson = "A generator that computes in double precision does not keep up with the memory.",
    .estimand = bench::hits({.source = sources::curand_mrg32k3a}),
    .accepted_threads = bench::Threads::any,
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .equip = equip_curand<rng::mrg32k3a_words>,
    .arrays = {.inspect = inspect_curand_words, .dram = 16},
    .phases = {{"rng", go_on_with_curand_words}, {"compute", sum_curand_hits}},
};

}  // namespace arrays::a9_mrg32k3a
