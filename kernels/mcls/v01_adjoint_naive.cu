// Step 1: adjoint histories, naive
// Change: none. This is the baseline, as the report has it: a thread walks a history. Its generator is XORWOW with the seed of
//         the run and a sequence of its own, whose state a first kernel makes and stores. B is in compressed rows of doubles.
//         A transition loads the bounds of the row, searches its cumulative probabilities, loads the state and the factor,
//         and adds the new weight to its entry of x. As on the report's GPU, L1 does not cache loads.
// Why:    a correct walk, to compare everything else with. Predicted on an H200: 14 transitions/ns on lap2d, 17 on shift1d and
//         on sp1, 15 on ad3d.
// Cost:   109 instructions per transition on lap2d: 60, 4 loads and one RED.64, and 18 instructions and a load for each probe of
//         the search: log2 of the entries of the row, and often one more. Set-up: sequences are 2^67 draws apart, so a state
//         takes about 15 products of a vector of bits with a 160 x 160 matrix, 33,000 instructions: predicted 3 ms for 2^20
//         states.
// Limit:  latency of memory, as most lanes wait for random sectors of L2, 110 per ns on an H200, and on lap2d also for the
//         atomics on 7 kB, of which L2 takes 17 per ns. The report found the set-up to be 18 to 36 % of the time where a thread
//         walks one history. Next: seeds in place of sequences.
// Note:   the walk is walk_adjoint() of launches/double_kernels.cuh, which later steps share.
#include "bench/step.hpp"
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v1 {

using bench::Launch;

using FromL2 = Loads<ThroughL2>;

__global__ void __launch_bounds__(report_threads)
    seed(curandState_t* states, std::uint64_t seed, std::uint64_t launch) {
    const std::uint64_t thread = rng::grid_thread();
    curand_init(seed, rng::subsequence(launch), 0, &states[thread]);
}

cudaError_t seed_threads(const Launch& l) {
    seed<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(static_cast<curandState_t*>(l.scratch), l.seed, l.index);
    return cudaGetLastError();
}

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_subsequences);

extern const bench::Step step;
const bench::Step step = {
    .name = "v1",
    .title = "Adjoint, naive",
    .technique = "a thread a history, XORWOW sequences, rows searched in L2, atomics on doubles",
    .lesson = "A random walk is a chain of loads that wait for each other.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_adjoint<FromL2, CsrRows>),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_counts}, {"seed", seed_threads}, {"walk", launch_adjoint<FromL2, CsrRows>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v1
