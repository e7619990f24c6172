// Step 2: a seed for each thread
// Change: as v1, but the generator of a thread has a seed of its own and sequence 0. The seed is a hash of the run's seed, the
//         launch and the thread. The report took consecutive or random seeds (ablations/v02_*.cu).
// Why:    a new seed needs no jump. Predicted on an H200: the set-up falls from milliseconds to 0.05 ms, the time to write 50
//         MB of states; the walk is that of v1.
// Cost:   109 instructions per transition, as in v1, and 100 instructions and 48 bytes per thread.
// Limit:  latency of memory, as in v1 without its set-up. Next: the L1 cache.
// Note:   XORWOW's own seeding is weak: each half of a seed enters some words of the state, by one product. Seeds below 2^32
//         leave the words of the upper half alike, and the first number of a stream, which chooses a start, is not uniform.
#include "bench/step.hpp"
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v2 {

using bench::Launch;

using FromL2 = Loads<ThroughL2>;

__global__ void __launch_bounds__(report_threads)
    seed(curandState_t* states, std::uint64_t seed, std::uint64_t launch) {
    const std::uint64_t thread = rng::grid_thread();
    curand_init(own_seed({seed, launch, rng::grid_threads(), thread}), 0, 0, &states[thread]);
}

cudaError_t seed_threads(const Launch& l) {
    seed<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(static_cast<curandState_t*>(l.scratch), l.seed, l.index);
    return cudaGetLastError();
}

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v2",
    .after = "v1",
    .title = "Own seeds",
    .technique = "a hashed seed for each thread in place of a sequence",
    .lesson = "Seeds are cheaper than sequences, but only as good as the hash behind them.",
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

}  // namespace mcls::v2
