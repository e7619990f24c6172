// Step 8: words of a multiple recursive generator
// Change: as n3, but the words come from the generator of pi's v14: 31 words of state in registers, one multiply-add for
//         each word.
// Why:    n3 spends 18 instructions on a word, most of them on the ALU pipe. Here a word costs one, on the FMA pipe, and
//         the transform becomes the limit. Predicted: 1,950 to 2,050 normals/ns on an H200.
// Cost:   9.1 instructions per normal and 2 results of the XU. A pair has 18 and 4: 2 words, 2 conversions, u, logarithm,
//         its factor, root, angle, its factor (of the XU, which wants turns), sine, cosine, 2 products, 4 for the sums.
// Limit:  XU: 16 results per clock and SM, 2,091 normals/ns on an H200; --store: DRAM. Next: other pipes do part of XU's
//         work.
// Note:   the upper 24 bits of the words pass the batteries, but not a test of one parity (kernels/random/mrg.cuh). A float
//         keeps the 24 leading bits of a word: of a word with k leading zeros, k of the weak bits below.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/box_muller.cuh"

namespace normals::n8 {

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
                const unsigned radius_word = draw();
                const unsigned angle_word = draw();
                consume(rng::normal_pair(radius_word, angle_word));
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
    .name = "n8",
    .after = "n3",
    .title = "Words of a multiple recursive generator",
    .technique = "31 words in registers, one instruction a word",
    .lesson = "Words that cost one instruction leave the special function unit as the limit.",
    .estimand = estimand(rng::MrgDraws::generator.name, bench::Soundness::sound_in_24_bits_but_parity, of_xu_box_muller,
                         replay::of_mrg),
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
    stored_form(step, "n8_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n8
