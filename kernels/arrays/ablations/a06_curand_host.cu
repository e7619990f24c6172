// Ablation of step 6: cuRAND on the CPU
// Change: as a6, but cuRAND's host interface makes the words on the CPU, with the generator of a9. The words are a9's.
// Why:    a library is not faster because it is NVIDIA's. Predicted: 5 to 6 ns a word against 1.7 of std::mt19937, so a
//         third of a6's rate: one thread makes the words of all the GPU's streams, in their order.
// Cost:   two words per sample on one core of the CPU.
// Limit:  that core.
#include "kernels/arrays/shared/curand_launch.hpp"
#include "kernels/arrays/shared/curand_sources.hpp"
#include "kernels/arrays/shared/phases.hpp"

namespace arrays::a6_curand_host {

using bench::Launch;

std::unique_ptr<bench::Equipment> equip(const Launch& l) {
    return std::make_unique<CurandEquipment>(rng::mtgp32_words, rng::CurandWords::Side::host, l);
}

cudaError_t make_words_by_curand(const Launch& l) {
    rng::CurandWords& words = curand_equipment(l).words;
    const std::uint64_t n = 2 * samples_of(l);
    words.begin(l.seed, l.index, n);
    words.generate(words_on_host(l).x, n);
    return cudaSuccess;
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a6_curand_host",
    .after = "a6",
    .title = "a6 with cuRAND on the CPU",
    .technique = "cuRAND MTGP32 into pinned host memory",
    .lesson = "A library for GPUs is no fast source on the CPU.",
    .estimand = bench::hits({.source = sources::curand_mtgp32}),
    .accepted_threads = bench::Threads::any,
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .equip = equip,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .pinned = true, .inspect = check_words, .pcie_up = 8, .dram = 16},
    .phases = {{"rng", make_words_by_curand, bench::On::host}, {"transfer", copy_words}, {"compute", sum_curand_hits}},
};

}  // namespace arrays::a6_curand_host
