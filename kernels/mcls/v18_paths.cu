// Step 18: paths
// Change: as v17, but a slot is a path of several transitions, and so is what is tallied: its cell, the state and the
//         transitions of the path but the last. A second kernel makes the tallies of the states between.
// Why:    three loads, one ATOMS and six bits serve two transitions, or three where rows have at most four entries. Predicted
//         on an H200: 1,700 transitions/ns on lap2d, 2,100 on shift1d, 500 on ad3d.
// Cost:   10.2 instructions per transition, 31 per path of three.
// Limit:  lap2d: shared memory, as in v17; shift1d: shared memory; ad3d: L2, where most paths are tallied.
// Note:   a transition has 8 slots of its own, or 4. Rows have at most as many entries. The cutoff is tested every 30 or 45
//         transitions.
#include "bench/step.hpp"
#include "kernels/mcls/launches/slot_kernels.cuh"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/resident.cuh"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls::v18 {

using bench::Launch;

constexpr unsigned threads = 1024;

template <std::uint32_t length>
__global__ void __launch_bounds__(threads, resident_blocks(threads, 2))
    walk(const __grid_constant__ SlotWalks<length> method, const __grid_constant__ PhiloxKeys keys,
         std::uint32_t launch, std::uint64_t histories, std::uint32_t window, Tallies cells, Counts counts) {
    walk_slots(method, keys, launch, histories, window, cells, counts);
}

template <std::uint32_t length>
cudaError_t clear_all(const Launch& l) {
    if (const auto error = clear_cells<SlotWalks<length>>(l)) return error;
    return clear_counts(l);
}

template <std::uint32_t length>
cudaError_t walk_paths(const Launch& l) {
    const auto& method = uploaded<SlotWalks<length>>(l);
    const Walks& walks = walks_of(l.problem);
    const std::size_t bytes = SlotMemory::bytes_of_block(walks, l.shape.threads);
    walk<length><<<l.shape.blocks, l.shape.threads, bytes, l.stream>>>(
        method, keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories,
        SlotMemory::window_of(method.rows, bytes), Tallies{cells_of<SlotWalks<length>>(l)}, Counts{l.counts});
    return cudaGetLastError();
}

template <std::uint32_t length>
cudaError_t add_paths(const Launch& l) {
    constexpr unsigned block = 256;
    const auto& method = uploaded<SlotWalks<length>>(l);
    const std::uint64_t cells = std::uint64_t{method.rows.n} * method.rows.cells;
    add_cells<<<static_cast<unsigned>((cells + block - 1) / block), block, 0, l.stream>>>(
        method, cells_of<SlotWalks<length>>(l), Counts{l.counts});
    return cudaGetLastError();
}

/// Calls the function for the length of the paths that are uploaded.
cudaError_t for_length(const Launch& l, cudaError_t (*twos)(const Launch&), cudaError_t (*threes)(const Launch&)) {
    return (dynamic_cast<const Uploaded<SlotWalks<3>>*>(l.equipment) ? threes : twos)(l);
}

cudaError_t clear(const Launch& l) { return for_length(l, clear_all<2>, clear_all<3>); }
cudaError_t launch(const Launch& l) { return for_length(l, walk_paths<2>, walk_paths<3>); }
cudaError_t add(const Launch& l) { return for_length(l, add_paths<2>, add_paths<3>); }

const void* kernel_of(const Walks& walks) {
    return length_of_paths(walks) == 3 ? reinterpret_cast<const void*>(walk<3>)
                                       : reinterpret_cast<const void*>(walk<2>);
}

constexpr Design design = design_on_gpu<SlotPaths>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 50'000'000,
    .bits_of_first = 27,
    .histories_of_block = histories_of_share,
    .kernel = kernel_of,
    .shared_bytes = SlotMemory::bytes_of_block,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v18",
    .after = "v17",
    .title = "Paths",
    .technique = "slots and cells of paths of two or three transitions",
    .lesson = "A table of paths makes one load and one atomic serve several transitions.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk<3>),
    .phases = {{"clear", clear}, {"walk", launch}, {"add", add}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v18
