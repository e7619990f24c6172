// Step 7: forward histories
// Change: against v4, histories walk forward: history h starts at entry h / (histories of an entry) of x, walks along the rows
//         of H, and adds its weight times b to that entry in each state that it visits.
// Why:    a forward history estimates one entry of x and nothing else: the method for few entries of a large system. Here all
//         are wanted. Predicted on an H200: 5 transitions/ns on lap2d, where the lanes of a warp add to one address, 100 on
//         shift1d, where neighbouring threads walk through neighbouring states.
// Cost:   109 instructions per transition: v4's 102, and a load of b and a multiplication per visit.
// Limit:  latency of memory: atomics on the same address, one after the other in L2. Next: a thread an entry.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v7 {

using bench::Launch;

using Tables = ForwardTables<StructRows>;
using Loaded = Loads<ReadOnly>;

__global__ void __launch_bounds__(report_threads, report_resident)
    walk_histories(const __grid_constant__ Tables tables, const curandState_t* states, std::uint64_t histories,
                   Counts counts) {
    Uniforms numbers(states[rng::grid_thread()]);
    double* const x = doubles_of(counts);
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        const auto entry = static_cast<std::uint32_t>(h / tables.histories_of_entry);
        done.histories++;
        done.transitions +=
            forward_history<Loaded>(entry, tables, numbers, [=](double amount) { atomicAdd(x + entry, amount); });
    }
    counts.add_work(done);
}

cudaError_t launch(const Launch& l) {
    walk_histories<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(uploaded<Tables>(l),
                                                                     static_cast<const curandState_t*>(l.scratch),
                                                                     walks_of(l.problem).histories, Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_of_report<Tables>(replay_forward_histories);

extern const bench::Step step;
const bench::Step step = {
    .name = "v7",
    .after = "v4",
    .title = "Forward histories",
    .technique = "a thread a history, which adds to the entry that it starts at",
    .lesson = "Atomics on one address are a queue.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_histories),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_counts}, {"seed", make_states}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v7
