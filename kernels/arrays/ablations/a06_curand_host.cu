// Ablation of step 6: cuRAND on the CPU
// Change: as a6, but cuRAND's host interface makes the words on the CPU, with the generator of a9. The words are a9's.
// Why:    a library is not faster because it is NVIDIA's. Predicted: 5 to 6 ns a word against 1.7 of std::mt19937, so a
//         third of a6's rate: one thread makes the words of all the GPU's streams, in their order.
// Cost:   two words per sample on one core of the CPU.
// Limit:  that core.
#include "kernels/arrays/device/curand_launch.cuh"
#include "kernels/arrays/device/curand_sources.hpp"

namespace arrays::a6_curand_host {

using bench::Launch;
using Equipment = CurandEquipment<HitOfWords>;

Equipment& equipment(const Launch& l) { return static_cast<Equipment&>(*l.equipment); }

std::unique_ptr<bench::Equipment> equip(const Launch& l) {
    return std::make_unique<Equipment>(mtgp32_words, CurandWords::Side::host, l);
}

cudaError_t rng(const Launch& l) {
    equipment(l).words.begin(l.seed, l.index, 2 * samples_of(l));
    equipment(l).words.generate(static_cast<std::uint32_t*>(l.host), 2 * samples_of(l));
    return cudaSuccess;
}

cudaError_t transfer(const Launch& l) {
    return cudaMemcpyAsync(l.scratch, l.host, words_bytes(l.shape, l.iters), cudaMemcpyHostToDevice, l.stream);
}

cudaError_t compute(const Launch& l) { return equipment(l).hits.enqueue(x_of(l), y_of(l), l.counts, l.stream); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a6_curand_host",
    .after = "a6",
    .title = "a6 with cuRAND on the CPU",
    .technique = "cuRAND MTGP32 into pinned host memory",
    .lesson = "A library for GPUs is no fast source on the CPU.",
    .estimand = bench::hits({.source = sources::curand_mtgp32}),
    .accepted_threads = bench::Threads::any,
    .default_blocks = 1024,
    .default_threads = 256,
    .default_iters = 256,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = words_bytes,
    .host_bytes = words_bytes,
    .host_memory = bench::HostMemory::pinned,
    .equip = equip,
    .inspect = inspect_words,
    .clock = bench::Clock::wall,
    .traffic = {.pcie_up = 8, .dram = 16},
    .phases = {{"rng", rng, bench::On::host}, {"transfer", transfer}, {"compute", compute}},
};

}  // namespace arrays::a6_curand_host
