// Ablation of step 6: lanes in the same state add together
// Change: as v6, but lanes of a warp that visit the same state at the same time add up their weights first, and one of them
//         adds the sum. Predicted: 17 transitions/ns on lap2d, as lanes soon part; 100 on shift1d, where there is little to
//         gain from it and the match takes as long as a search.
#include "kernels/mcls/launches/sorted_starts.cuh"

namespace mcls::v6_aggregated {

using bench::Launch;

using Loaded = Loads<ReadOnly>;

__device__ __forceinline__ void add_together(double* x, std::uint32_t entry, double amount) {
    const unsigned peers = __match_any_sync(__activemask(), entry);
    double sum = 0;
    for (unsigned left = peers; left != 0; left &= left - 1) {
        sum += __shfl_sync(peers, amount, __ffs(static_cast<int>(left)) - 1);
    }
    const unsigned first = __ffs(static_cast<int>(peers)) - 1;
    if (threadIdx.x % 32 == first) {
        atomicAdd(x + entry, sum);
    }
}

__global__ void __launch_bounds__(report_threads, report_resident)
    walk_sorted(const __grid_constant__ SortedTables tables, const curandState_t* states, std::uint64_t histories,
                const std::uint32_t* starts, Counts counts) {
    Uniforms numbers(states[rng::grid_thread()]);
    double* const x = doubles_of(counts);
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        done.histories++;
        done.transitions += adjoint_history_from<Loaded>(
            starts[h], tables, numbers, [=](std::uint32_t entry, double amount) { add_together(x, entry, amount); });
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
    .name = "v6_aggregated",
    .after = "v6",
    .title = "v6, lanes add together",
    .technique = "one atomic for the lanes of a warp in the same state",
    .lesson = "Whether lanes meet often enough to pay for looking.",
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

}  // namespace mcls::v6_aggregated
