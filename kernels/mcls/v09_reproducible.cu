// Step 9: reproducible walks
// Change: as v4, but the words of a history are those of Philox4x32-10 at a counter of its number, its launch and the number
//         of the transition. Probabilities are whole numbers over 2^32, and tallies whole numbers of 2^-bits.
// Why:    no generator has a state to set up, to load and to store. Which thread walks a history, and in what order tallies
//         are added, makes no difference: all sums are the same on every GPU and on the CPU, bit for bit. Predicted on an
//         H200: 20 transitions/ns on lap2d, 60 on shift1d, 15 on sp1.
// Cost:   105 instructions per transition: 16 for the word, 12 for each step of the search in the row, one RED.64.
// Limit:  latency of memory, on small systems of the atomics on few addresses of L2, 17 per ns on 7 kB; on large ones of the
//         search, which loads log2(entries of the row) times from L1 or L2, one after the other.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls::v9 {

using bench::Launch;

constexpr unsigned threads = 128;

using Method = Adjoint<CdfRows>;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, Counts counts) {
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        done.histories++;
        done.transitions += method(
            keys, {launch, h}, [&](std::uint32_t entry, std::int64_t amount) { counts.tallies().add(entry, amount); });
    }
    counts.add_work(done);
}

cudaError_t launch(const Launch& l) {
    walk<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(uploaded<Method>(l), keys_of(l.seed),
                                                           static_cast<std::uint32_t>(l.index),
                                                           walks_of(l.problem).histories, Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v9",
    .after = "v4",
    .title = "Reproducible walks",
    .technique = "Philox4x32-10 by history and transition, tallies in fixed point",
    .lesson = "Whole numbers add up to the same sum in any order.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v9
