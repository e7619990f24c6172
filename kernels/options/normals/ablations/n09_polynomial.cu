// Ablation of step 9: polynomials alone
// Change: as n9, but every pair is made with polynomials. 12 instructions and 1 result of the XU per normal: the issue
//         slots allow 2,790 normals/ns. Predicted: slower than n9.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/box_muller.cuh"

namespace normals::n9_polynomial {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have: two such blocks need half of the registers each
constexpr unsigned unrolled = 31;   // pairs a trip: whole rounds of the generator's 31 words

__global__ void __launch_bounds__(threads)
    draw_normals(Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Consumer<InRegisters> consume(nullptr);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned trip = 0; trip < normals_per_group / 2 / unrolled; trip++) {
#pragma unroll
            for (unsigned j = 0; j < unrolled; j++) {
                const unsigned radius_word = draw();
                const unsigned angle_word = draw();
                consume(rng::polynomial_pair(radius_word, angle_word));
            }
        }
        consume.end_group();
    }
    consume.publish(counts);
}

cudaError_t launch(const Launch& l) {
    draw_normals<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "n9_polynomial",
    .after = "n9",
    .title = "n9, polynomials alone",
    .technique = "every sine and cosine a polynomial",
    .lesson = "One pipe in place of the other only moves the limit.",
    .estimand = estimand(rng::MrgDraws::generator.name, bench::Soundness::sound_in_24_bits_but_parity,
                         of_polynomial_box_muller, replay::of_polynomials),
    .default_threads = threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(draw_normals),
    .counts = counts,
    .phases = {{"sample", launch}},
};

}  // namespace normals::n9_polynomial
