// Ablation of step 10: paths on a graph
// Change: as v10_graph, but a slot is a path of two transitions, as in v18: 256 slots a vertex, 16 GiB.
// Why:    the limit of v10_graph is how many random accesses DRAM serves, whatever the size of the table. Here one brings two
//         transitions. Predicted on an H200: twice the rate of v10_graph, 80 transitions/ns.
// Cost:   one load of 4 bytes and one word of MWC64X for two transitions; 10 instructions per transition.
// Limit:  DRAM, as v10_graph.
#include "kernels/mcls/graph/walk.cuh"

namespace mcls::v10_graph_paths {

using Graph = PathsOfRegularGraph<24>;

extern const bench::Step step;
const bench::Step step = {
    .name = "v10_graph_paths",
    .after = "v10",
    .title = "v10, paths on a graph",
    .technique = "a slot is a path of two transitions, 16 GiB",
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

}  // namespace mcls::v10_graph_paths
