// Step 2: a generator in registers
// Change: against n1, the chapter's hybrid Tausworthe generator: four words of state in registers, hashed for each thread.
//         Both normals of a pair are used at once. The functions are the accurate logf, sqrtf and sincosf: this step is
//         compiled without --use_fast_math.
// Why:    the state neither comes from memory nor takes a set-up. Predicted: 500 normals/ns on an H200, less
//         than n1 with the functions of the XU.
// Cost:   59 instructions per normal: 18 for a word, and 41 for half of a pair, with branches for angles and numbers that
//         no word gives.
// Limit:  the issue slots, 566 normals/ns; --store: the issue slots too. Next: the logarithm, sine and cosine of the XU.
// Note:   the chapter takes u = 2.33e-10 word, which is 0 for word 0, and an infinite normal: at 1,000 normals/ns, 116 in
//         a second. Here u is the middle of the word's interval. The chapter's program gives thread i of every block the
//         same state, so its blocks repeat each other; here all threads of all launches have hashed states. The second
//         register has the period 2^29 - 1, not 2^30 - 1, and registers need one bit that they use, not a state above 128.
//         Bits 0 to 12 of the words are linear, and a float u keeps bits 8 to 31: a demonstration.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/accurate_box_muller.cuh"

namespace normals::n2 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 256;

template <typename Output>
__global__ void __launch_bounds__(threads)
    draw_normals(Count* counts, void* memory, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::HybridTauswortheDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Consumer<Output> consume(memory);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned j = 0; j < normals_per_group / 2; j++) {
            const unsigned radius_word = draw();
            const unsigned angle_word = draw();
            consume(rng::accurate_pair(radius_word, angle_word));
        }
        consume.end_group();
    }
    consume.publish(counts);
}

template <typename Output>
cudaError_t launch(const Launch& l) {
    draw_normals<Output>
        <<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.scratch, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step, stored;
const bench::Step step = {
    .name = "n2",
    .after = "n1",
    .title = "A generator in registers",
    .technique = "hybrid Tausworthe, accurate functions",
    .lesson = "State in registers and both normals of a pair: no memory, no branch.",
    .estimand = estimand(rng::HybridTauswortheDraws::generator.name, bench::Soundness::demonstration,
                         of_accurate_box_muller, replay::of_tausworthe),
    .default_threads = threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(draw_normals<InRegisters>),
    .counts = counts,
    .phases = {{"sample", launch<InRegisters>}},
    .own = {.options = store_option(stored)},
};
const bench::Step stored =
    stored_form(step, "n2_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n2
