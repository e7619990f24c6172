// Ablation of step 9: MT19937
// Change: as a9, with the Mersenne Twister of the CPU's steps, in 8192 streams whose starts lie far apart in its cycle.
// Why:    predicted: 50 to 200 samples/ns for the words. The state of a stream is 624 words, too many for registers; and
//         each launch seeds anew, by a jump for every stream.
// Note:   the host's clock, as in a9.
#include "kernels/arrays/shared/curand_launch.hpp"
#include "kernels/arrays/shared/curand_sources.hpp"

namespace arrays::a9_mt19937 {

extern const bench::Step step;
const bench::Step step = {
    .name = "a9_mt19937",
    .after = "a9",
    .title = "a9 with MT19937",
    .technique = "cuRAND MT19937 into device memory",
    .lesson = "A state of 2.5 kB per stream is a burden that a GPU feels.",
    .estimand = bench::hits({.source = sources::curand_mt19937}),
    .accepted_threads = bench::Threads::any,
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .equip = equip_curand<rng::mt19937_words>,
    .clock = bench::Clock::wall,
    .arrays = {.inspect = inspect_curand_words, .dram = 16},
    .phases = {{"seed", seed_curand}, {"rng", make_curand_words}, {"compute", sum_curand_hits}},
};

}  // namespace arrays::a9_mt19937
