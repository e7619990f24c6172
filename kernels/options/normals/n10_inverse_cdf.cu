// Step 10: one word, one normal
// Change: as n8, but a word becomes a normal by the inverse of the distribution function (inverse_cdf.cuh), not two words
//         two normals.
// Why:    evenly spread points, as Sobol's, stay evenly spread only if each of their coordinates becomes one normal that
//         grows with it. This step is the price of that. Predicted: 1,600 normals/ns on an H200.
// Cost:   19.2 instructions per normal and 2 results of the XU: word, conversion, tail, logarithm, reciprocal root, root,
//         9 of the polynomial, product, sign, 2 for the sums.
// Limit:  the issue slots, 1,746 normals/ns; --store: DRAM.
// Note:   the largest normal is 6.34: of the midpoints of 32 bits, no tail is smaller than 2^-33.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/inverse_cdf.cuh"

namespace normals::n10 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have: two such blocks need half of the registers each
constexpr unsigned unrolled = 31;   // pairs a trip: whole rounds of the generator's 31 words

template <typename Output>
__global__ void __launch_bounds__(threads)
    draw_normals(Count* counts, void* memory, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Consumer<Output> consume(memory);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned trip = 0; trip < normals_per_group / 2 / unrolled; trip++) {
#pragma unroll
            for (unsigned j = 0; j < unrolled; j++) {
                const float first = rng::inverse_cdf(draw());
                const float second = rng::inverse_cdf(draw());
                consume({first, second});
            }
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
    .name = "n10",
    .after = "n8",
    .title = "One word, one normal",
    .technique = "inverse distribution function, one polynomial",
    .lesson = "A transform of one word costs nine multiply-adds, without a branch for the tails.",
    .estimand = estimand(rng::MrgDraws::generator.name, bench::Soundness::sound_in_24_bits_but_parity, of_inverse_cdf,
                         replay::of_inverse_cdf),
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
    stored_form(step, "n10_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n10
