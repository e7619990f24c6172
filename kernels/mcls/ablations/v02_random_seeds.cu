// Ablation of step 2: random seeds
// Change: as v2, but the seed of a thread is a random number of 31 bits, as from the C library's rand(). The
//         report's residual with such seeds is 7 and 52 standard deviations too large.
//         Predicted: the rate of v2; the spread of its estimates is not that of independent histories.
#include "kernels/mcls/launches/double_kernels.cuh"
#include "kernels/random/stream_seed.cuh"

namespace mcls::v2_random_seeds {

using bench::Launch;

using FromL2 = Loads<ThroughL2>;

__global__ void __launch_bounds__(report_threads)
    seed(curandState_t* states, std::uint64_t seed, std::uint64_t launch) {
    curand_init(rng::stream_seed(seed, launch, rng::grid_thread(), 0) >> 1, 0, 0, &states[rng::grid_thread()]);
}

cudaError_t make_seeded_states(const Launch& l) {
    seed<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(static_cast<curandState_t*>(l.scratch), l.seed, l.index);
    return cudaGetLastError();
}

constexpr Design design =
    design_of_report<AdjointTables<CsrRows>>(replay_random_seeds, bench::Soundness::demonstration);

extern const bench::Step step;
const bench::Step step = {
    .name = "v2_random_seeds",
    .after = "v2",
    .title = "v2, random seeds",
    .technique = "random seeds",
    .lesson = "Random seeds do not help where a seed has too few bits: the first number of each stream is not uniform.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_adjoint<FromL2, CsrRows>),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_counts}, {"seed", make_seeded_states}, {"walk", launch_adjoint<FromL2, CsrRows>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v2_random_seeds
