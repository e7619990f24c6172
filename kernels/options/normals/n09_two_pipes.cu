// Step 9: two pipes
// Change: as n8, but in two pairs of three the sine and the cosine are polynomials on the FMA pipe.
// Why:    n8 waits for the XU and leaves half of the issue slots empty. A pair with polynomials needs 2 results of the XU
//         in place of 4, and 24 instructions in place of 18. With 20 such pairs of 31 both limits are near 3,070
//         normals/ns on an H200. Predicted: 2,600, because no kernel fills two pipes at the same time.
//         The usual polynomials need an octant of the angle, and swap and negate by it: some 8 instructions. Here the
//         angle is in [-pi/2, pi/2], where one polynomial of degree 7 and one of degree 8 suffice. The other half of the
//         circle differs by the sign of the cosine, one random bit: the uppermost of the word of the radius, whose
//         magnitude is made of the other 31. XU takes the magnitude and the negative of its operands without an
//         instruction, and the factor of the logarithm is in the coefficients.
// Cost:   11.1 instructions per normal and 1.35 results of the XU.
// Limit:  the issue slots and XU alike; --store: DRAM.
// Note:   31 bits of u make the largest normal 6.66, not 6.76; beyond are 3 true normals in 10^11.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/box_muller.cuh"

namespace normals::n9 {

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
                consume(rng::two_pipe_pair(j, radius_word, angle_word));
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
    .name = "n9",
    .after = "n8",
    .title = "Two pipes",
    .technique = "polynomials beside the special function unit",
    .lesson = "Work that one pipe cannot take any more can go to another, if that one has a cheap way to do it.",
    .estimand = estimand(rng::MrgDraws::generator.name, bench::Soundness::sound_in_24_bits_but_parity, of_two_pipes,
                         replay::of_two_pipes),
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
    stored_form(step, "n9_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n9
