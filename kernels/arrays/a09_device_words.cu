// Step 9: words made on the GPU
// Change: against a8, the words are made on the GPU, so nothing is copied and nothing overlaps. cuRAND's host interface
//         fills X and Y in the GPU's memory, with MTGP32, a Mersenne Twister for GPUs like the one that the article took
//         from NVIDIA's samples; then the pass of a5 tests them.
// Why:    nothing crosses PCIe, no core makes words, and the words are written to DRAM and read back once.
//         Predicted: generation takes nearly all of the time, 20 to 65 samples/ns. MTGP32 runs in few blocks, because
//         each needs its own parameter set: its words go round 192 blocks of 256 threads.
// Cost:   16 bytes of DRAM traffic per sample, and MTGP32's words.
// Limit:  the generator. DRAM moves 16 bytes a sample, and the ablations have generators that come near the rate of a copy.
// Note:   cuRAND makes words, not coordinates. Its own map to floats is another one for MT19937 and MRG32k3a. MTGP32
//         cannot skip to a launch's words, and a generator that is seeded again goes on inside its state. So each launch
//         makes and seeds one, inside the timed region. cuRAND waits for the GPU when it seeds. So launches cannot be
//         enqueued in advance, and the host's clock times them.
#include "kernels/arrays/shared/curand_launch.hpp"
#include "kernels/arrays/shared/curand_sources.hpp"

namespace arrays::a9 {

extern const bench::Step step;
const bench::Step step = {
    .name = "a9",
    .after = "a8",
    .title = "Words made on the GPU",
    .technique = "cuRAND MTGP32 into device memory",
    .lesson = "Data that is made where it is used needs no bus; then the generator is the limit again.",
    .estimand = bench::hits({.source = sources::curand_mtgp32}),
    .accepted_threads = bench::Threads::any,
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .equip = equip_curand<rng::mtgp32_words>,
    .clock = bench::Clock::wall,
    .arrays = {.inspect = inspect_curand_words, .dram = 16},
    .phases = {{"seed", seed_curand}, {"rng", make_curand_words}, {"compute", sum_curand_hits}},
};

}  // namespace arrays::a9
