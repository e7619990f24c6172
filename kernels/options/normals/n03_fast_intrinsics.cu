// Step 3: fast functions
// Change: as n2, but the logarithm, root, sine and cosine are single instructions of the special function unit, the XU.
// Why:    the accurate functions take 84 instructions a pair. Predicted: 1,150 normals/ns on an H200.
// Cost:   27.3 instructions per normal, 18 of them for a word, 12 on the ALU pipe, and 2 results of the XU. nvcc makes
//         half of the shifts to products, which leave the ALU pipe.
// Limit:  the issue slots (1,225 normals/ns) and the ALU pipe (1,360); --store: the issue slots, on an H100 DRAM. Next:
//         other words.
// Note:   a sine of the XU has an absolute error of 2^-21. The moments over all words show what that does: less than any
//         run can (kernels/options/normals/shared/moments.hpp).
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/box_muller.cuh"

namespace normals::n3 {

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
            consume(rng::normal_pair(radius_word, angle_word));
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
    .name = "n3",
    .after = "n2",
    .title = "Fast functions",
    .technique = "logarithm, root, sine and cosine of the special function unit",
    .lesson = "The hardware has the functions that Box-Muller needs; a bounded error is enough if it is measured.",
    .estimand = estimand(rng::HybridTauswortheDraws::generator.name, bench::Soundness::demonstration, of_xu_box_muller,
                         replay::of_tausworthe),
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
    stored_form(step, "n3_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n3
