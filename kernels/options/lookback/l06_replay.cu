// Step 6: replay
// Change: as l3, with paths of 256 days and the words of Philox4x32-7. Nothing of a path is stored. It is walked twice: the
//         second walk sets the counter of the generator back and compares each price with the last one.
// Why:    256 prices fit neither into registers nor, for enough threads, into shared memory: a multiprocessor has room for
//         227 paths of floats. A generator with a counter gives the same words again. Predicted: 600 path-steps/ns on an
//         H200.
// Cost:   46.7 instructions per path-step: 21 in the first walk and 25 in the second one. 4 of them are on XU.
// Limit:  the issue slots: 716 path-steps/ns.
#include "bench/step.hpp"
#include "kernels/options/lookback/shared/normals.hpp"
#include "kernels/options/lookback/shared/replayed_path.cuh"
#include "kernels/random/thread_id.cuh"

namespace lookback::l6 {

using bench::Launch;

constexpr unsigned steps = 256;
constexpr unsigned threads = 256;
constexpr unsigned iters = 64;

__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, PhiloxKeys keys, std::uint64_t launch) {
    const std::uint64_t stream = rng::subsequence(launch);
    rng::PhiloxCounter counter = {{0, 0, static_cast<unsigned>(stream), static_cast<unsigned>(stream >> 32)}};
    Sums<steps> sums;
    for (unsigned i = 0; i < iters; i++) {
        const PathValues path = replayed_path<steps>(counter, keys);
        sums.add(path.payoff, path.log_return);
        counter.word[0] += steps / 4;
    }
    options::publish(sums, counts);
}

cudaError_t launch(const Launch& l) {
    const rng::PhiloxKey key = {{static_cast<unsigned>(l.seed), static_cast<unsigned>(l.seed >> 32)}};
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, rng::philox_keys<philox_rounds>(key),
                                                            l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "l6",
    .after = "l3",
    .title = "Replay",
    .technique = "the path walked twice, a counter set back",
    .lesson = "What can be computed again need not be stored.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = "Philox4x32-7",
                                       .soundness = bench::Soundness::sound,
                                       .normals = normals_of_philox})),
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = 2,  // what is unrolled lies within a path
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums<steps>>,
    .phases = {{"price", launch}},
};

}  // namespace lookback::l6
