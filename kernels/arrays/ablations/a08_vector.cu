// Ablation of step 8: vectorised words
// Change: as a8, but the words of std::mt19937 come from the suite's own MT19937, a block of 624 words at a time, in
//         loops that the compiler vectorises. std::mt19937 of libstdc++ has 64-bit words of state.
// Why:    the generator limits a8. Predicted: 4.0 at least; PCIe allows 6.9.
// Cost:   as a8, with fewer instructions on the host.
// Limit:  the copies, 640 a launch.
#include "kernels/arrays/shared/host_words.hpp"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/pipeline.cuh"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a8_vector {

using bench::Launch;

std::unique_ptr<bench::Equipment> equip(const Launch& l) { return std::make_unique<Pipeline>(samples_of(l)); }

cudaError_t make_copy_test(const Launch& l) {
    auto& pipeline = *static_cast<Pipeline*>(l.equipment);
    l.phase_clock->begin_on_host(Pipeline::rng);
    make_chunks_in_vectors(words_on_host(l), {l.seed, l.index},
                           [&](unsigned piece, const Part& part) { pipeline.hand_on(l, piece, part); });
    l.phase_clock->end_on_host(Pipeline::rng);
    pipeline.finish(l);
    return cudaSuccess;
}

std::size_t with_sums(bench::Shape shape, unsigned iters) { return words_and_sums_bytes(shape, iters, chunks); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a8_vector",
    .after = "a8",
    .title = "a8 with vectorised words",
    .technique = "MT19937 a block at a time, in vector registers",
    .lesson = "A generator that the compiler can vectorise moves the limit from the cores to the bus.",
    .estimand = bench::hits({.source = sources::mt19937_chunks}),
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = with_sums,
    .equip = equip,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .pinned = true, .inspect = check_words, .pcie_up = 8, .dram = 16},
    .phases = {{"rng", make_copy_test, bench::On::both}, {"transfer"}, {"compute"}},
};

}  // namespace arrays::a8_vector
