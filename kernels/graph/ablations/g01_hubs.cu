// Ablation of step 1: a graph with hubs
// Change: as g1, but degrees follow a power law, from 8 to 65,536. A slot has the first slot of its vertex and their
//         number, 8 bytes. In compressed storage a second load would tell them.
// Why:    graphs of the web and of friends have hubs. All walks go through them, but every half-edge is as likely as another, so
//         no part of the table is hot. Predicted on an H200: as g1; with a second load, half of it.
// Cost:   one load of 8 bytes and one word of MWC64X; 14 instructions per step.
// Limit:  as g1: no unit is busy, and DRAM serves no more accesses at random.
#include "kernels/graph/shared/walk.cuh"

namespace graph::g1_hubs {

using Graph = PowerLawGraph<24>;

extern const bench::Step step;
const bench::Step step = {
    .name = "g1_hubs",
    .after = "g1",
    .title = "g1, a graph with hubs",
    .technique = "degrees that follow a power law, 2 GiB",
    .lesson = "A slot that has the degree of its vertex saves the access that would tell it.",
    .estimand = visits_on_power_law_graph(),
    .default_blocks_per_sm = walking_blocks,
    .default_threads = walking_threads,
    .default_iters = 100,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_graph<Graph>),
    .counts = counts_of_visits,
    .equip = make_table<Graph>,
    .phases = {{"walk", launch_walks<Graph>}},
};

}  // namespace graph::g1_hubs
