// Step 17: equal slots
// Change: as v15, but with weights as v12 has them, and a row is 64 equal slots of four bytes. Rows that are equal relative to
//         their state are stored once. All rows and factors are in shared memory, and for each state one byte, its class.
// Why:    six bits of a word choose a slot, without a threshold: a quad of words serves 15 transitions instead of 4, and no row
//         comes from L2. What the realised probability, a multiple of 1/64, differs from the wanted one is in the factor.
//         Predicted on an H200: 630 transitions/ns on lap2d, 870 on shift1d, 260 on ad3d.
// Cost:   28 instructions per transition; three loads and an ATOMS in shared memory.
// Limit:  lap2d: shared memory, where the lanes of a warp meet in banks; shift1d: shared memory; ad3d: L2, where
//         the atomics for the visits outside go, and the data pipe that shared memory has in common with L1, which is busier.
// Note:   at most 256 different rows, of 64 entries; sp1 has 423. The cutoff is tested every 15 transitions.
#include "bench/step.hpp"
#include "kernels/mcls/launches/slot_kernels.cuh"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/resident.cuh"

namespace mcls::v17 {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = SlotWalks<1>;

__global__ void __launch_bounds__(threads, resident_blocks(threads, 2))
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, std::uint32_t window, Tallies cells, Counts counts) {
    walk_slots(method, keys, launch, histories, window, cells, counts);
}

cudaError_t launch(const Launch& l) {
    const Method& method = uploaded<Method>(l);
    const Counts counts = {l.counts};
    const Walks& walks = walks_of(l.problem);
    const std::size_t bytes = SlotMemory::bytes_of_block(walks, l.shape.threads);
    walk<<<l.shape.blocks, l.shape.threads, bytes, l.stream>>>(
        method, keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories,
        SlotMemory::window_of(method.rows, bytes), counts.tallies(), counts);
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 50'000'000,
    .bits_of_first = 27,
    .histories_of_block = histories_of_share,
    .shared_bytes = SlotMemory::bytes_of_block,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v17",
    .after = "v15",
    .title = "Equal slots",
    .technique = "rows of 64 equal slots of four bytes, equal rows stored once, all in shared memory",
    .lesson = "Six bits choose a slot, if the weight makes up for the probability.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v17
