// Ablation of step 10: a graph that fits in no cache
// Change: as v10, but on a random graph of 2^24 vertices of degree 16, and walks without weights. Its table has 1 GiB; L2
//         holds those of v10. A thread counts the visits of its walks in registers: tallies of so many states would be a
//         second random access.
// Why:    here each transition is a load from DRAM that waits for the one before. If DRAM is read in sectors of 32 bytes, its
//         4.36 TB/s allow 136 transitions/ns, in pairs of sectors 68.
//         Predicted on an H200: 70 transitions/ns.
// Cost:   one load of 4 bytes and one word of MWC64X; 14 instructions per transition.
// Limit:  DRAM: its accesses, not its bytes.
#include "kernels/mcls/graph/walk.cuh"

namespace mcls::v10_graph {

using Graph = RegularGraph<24>;

extern const bench::Step step;
const bench::Step step = {
    .name = "v10_graph",
    .after = "v10",
    .title = "v10, a graph",
    .technique = "a random graph of 2^24 vertices, 1 GiB",
    .lesson = "A walk on what no cache holds is bound by how many random accesses DRAM can serve.",
    .estimand = visits_on_regular_graph(),
    .default_blocks_per_sm = walking_blocks,
    .default_threads = walking_threads,
    .default_iters = 100,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_graph<Graph>),
    .counts = counts_of_visits,
    .equip = make_table<Graph>,
    .phases = {{"walk", launch_walks<Graph>}},
};

}  // namespace mcls::v10_graph
