// Ablation of step 9: Philox4_32_10
// Change: as a9, with cuRAND's counter-based generator. A stream is a counter, so any word of it is at hand.
// Why:    predicted: its words come as fast as DRAM takes them, 230 to 269 samples/ns in all.
// Note:   launch after launch the generator goes on where it stopped, which is where the next launch's words begin. So it
//         is seeded only for a launch that does not follow the last one. Launches are enqueued in advance, and the GPU's
//         clock times them.
#include "kernels/arrays/shared/curand_launch.hpp"
#include "kernels/arrays/shared/curand_sources.hpp"

namespace arrays::a9_philox {

extern const bench::Step step;
const bench::Step step = {
    .name = "a9_philox",
    .after = "a9",
    .title = "a9 with Philox4_32_10",
    .technique = "cuRAND Philox4_32_10 into device memory",
    .lesson = "A good generator costs nothing where memory is the limit.",
    .estimand = bench::hits({.source = sources::curand_philox}),
    .accepted_threads = bench::Threads::any,
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .equip = equip_curand<rng::philox_words>,
    .arrays = {.inspect = inspect_curand_words, .dram = 16},
    .phases = {{"rng", go_on_with_curand_words}, {"compute", sum_curand_hits}},
};

}  // namespace arrays::a9_philox
