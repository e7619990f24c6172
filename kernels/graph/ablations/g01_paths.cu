// Ablation of step 1: paths on a graph
// Change: as g1, but a slot is a path of two steps, as in v18 of mcls: 256 slots a vertex, 16 GiB.
// Why:    the limit of g1 is how many random accesses DRAM serves, whatever the size of the table. Here one brings two
//         steps. Predicted on an H200: twice the rate of g1, 80 steps/ns.
// Cost:   one load of 4 bytes and one word of MWC64X for two steps; 10 instructions per step.
// Limit:  as g1: no unit is busy, and DRAM serves no more accesses at random.
#include "kernels/graph/shared/walk.cuh"

namespace graph::g1_paths {

using Graph = PathsOfRegularGraph<24>;

extern const bench::Step step;
const bench::Step step = {
    .name = "g1_paths",
    .after = "g1",
    .title = "g1, paths on a graph",
    .technique = "a slot is a path of two steps, 16 GiB",
    .lesson = "Where accesses are the limit, what one access brings is free.",
    .estimand = visits_on_paths_of_regular_graph(),
    .default_blocks_per_sm = walking_blocks,
    .default_threads = walking_threads,
    .default_iters = 100,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_graph<Graph>),
    .counts = counts_of_visits,
    .equip = make_table<Graph>,
    .phases = {{"walk", launch_walks<Graph>}},
};

}  // namespace graph::g1_paths
