// Step 6: sorted starts
// Change: against v4, the starts of all histories of a launch are drawn first and sorted. History h begins at start number h.
// Why:    neighbouring threads start in the same or in neighbouring states and stay near each other for a while: their loads
//         share sectors and hit L1. Predicted on an H200: 150 transitions/ns on shift1d, where a history moves by 10 states;
//         55 on sp1; 15 on lap2d, a little less than v4, as lanes of a warp begin with atomics on one address.
// Cost:   109 instructions per transition, 7 more than v4, though no start is searched for: a load and a store of each
//         generator's state, and 8 bytes of DRAM or L2 for each of 3 passes of a radix sort.
// Limit:  latency of memory, as in v4. Next: the forward method.
// Note:   the report's batch is a launch here: --histories, with --blocks for fewer than 2^20 threads. CUB sorts. Its memory
//         and that of the starts is allocated before the first launch.
#include "kernels/mcls/launches/sorted_starts.cuh"

namespace mcls::v6 {

using bench::Launch;

using Loaded = Loads<ReadOnly>;

__global__ void __launch_bounds__(report_threads, report_resident)
    walk_sorted(const __grid_constant__ SortedTables tables, const curandState_t* states, std::uint64_t histories,
                const std::uint32_t* starts, Counts counts) {
    Uniforms numbers(states[rng::grid_thread()]);
    double* const x = doubles_of(counts);
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        done.histories++;
        done.transitions += adjoint_history_from<Loaded>(
            starts[h], tables, numbers, [=](std::uint32_t entry, double amount) { atomicAdd(x + entry, amount); });
    }
    counts.add_work(done);
}

cudaError_t launch(const Launch& l) {
    const StartSorter& sorter = sorter_of(l);
    walk_sorted<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(
        sorter.method, static_cast<const curandState_t*>(l.scratch), sorter.histories(), sorter.sorted(),
        Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_of_report<SortedTables>(replay_sorted_starts);

extern const bench::Step step;
const bench::Step step = {
    .name = "v6",
    .after = "v4",
    .title = "Sorted starts",
    .technique = "starts drawn first and sorted, neighbours walk side by side",
    .lesson = "Threads that begin side by side share what they load, and what they add to.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_sorted),
    .scratch_bytes = states_bytes,
    .equip = equip_sorter,
    .phases = {{"clear", clear_counts},
               {"seed", make_states},
               {"draw", draw_starts<Loaded>},
               {"sort", sort_starts},
               {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v6
