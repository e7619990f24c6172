// Step 1: a walk a thread
// Change: the first step. A thread walks on a random graph of 2^24 vertices of degree 16, whose table has 1 GiB, and counts the
//         visits of its walks in registers: tallies of so many vertices would be a second random access.
// Why:    each step is a load from DRAM that waits for the one before. If DRAM is read in sectors of 32 bytes, its 4.66 TB/s
//         on an H200 allow 146 steps/ns, in pairs of sectors 73. Predicted, when 4.36 TB/s were assumed: 70 steps/ns.
// Cost:   one load of 4 bytes and one word of MWC64X; 14 instructions per step.
// Limit:  no unit is busy: warps wait out the latency of memory, and DRAM serves no more accesses at random.
#include "kernels/graph/shared/walk.cuh"

namespace graph::g1 {

using Graph = RegularGraph<24>;

extern const bench::Step step;
const bench::Step step = {
    .name = "g1",
    .title = "A walk a thread",
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

}  // namespace graph::g1
