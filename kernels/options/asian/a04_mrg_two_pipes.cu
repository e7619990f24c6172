// Step 4: words of one multiplication, normals on two pipes
// Change: as a2, with the words of pi's v14, an MRG of 31 words in registers, and with sine and cosine as polynomials. The
//         words alone: ablations/a04_xu.cu.
// Why:    a word of a2 costs 18 instructions, most of them on the ALU pipe. One of the MRG costs 1, on another pipe.
//         Then XU is the limit with 6 results a step. Sine and cosine on the FMA pipe leave it 4. Predicted: 850
//         path-steps/ns on an H200.
// Cost:   31.5 instructions per path-step, 4 of them on XU.
// Limit:  XU, 1,045 path-steps/ns, and the issue slots, 1,060, alike.
// Note:   31 steps take 62 words, whole rounds of the generator, so its registers are renamed and nothing moves. The other
//         8 of 256 steps have their own code, after which the words move once a path.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a4 {

using bench::Launch;

constexpr unsigned threads = 256;
/// Blocks of a multiprocessor: with 3, a thread has 80 registers. A path of 16 steps moves its words and needs more.
template <unsigned steps>
constexpr unsigned resident = steps == 16 ? 2 : 3;
constexpr unsigned unrolled = 31;  // steps a trip: whole rounds of the generator's 31 words

template <unsigned n, unsigned steps>
__device__ __forceinline__ void walk(PricePath<steps>& path, rng::MrgDraws& draw) {
#pragma unroll
    for (unsigned t = 0; t < n; t++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        path.step(rng::polynomial_pair(radius_word, angle_word));
    }
}

template <unsigned steps>
__global__ void __launch_bounds__(threads, resident<steps>)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        PricePath<steps> path;
#pragma unroll 1
        for (unsigned groups = steps / unrolled; groups > 0; groups--) walk<unrolled>(path, draw);
        walk<steps % unrolled>(path, draw);
        add_path(&sums, path.excess());
    }
    options::publish(sums, counts);
}

template <unsigned steps>
cudaError_t launch(const Launch& l) {
    price<steps><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

template <unsigned steps>
bench::Step step_of(const char* name, const std::shared_ptr<const bench::OwnOptions>& own_options = {}) {
    return {
        .name = name,
        .after = "a2",
        .title = "Words of one multiplication, two pipes",
        .technique = "MRG of 31 words, sine and cosine on the FMA pipe",
        .lesson = "A pipe that is full gives work to one that is not.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = rng::MrgDraws::generator.name,
                                           .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                           .float_error = error_of_products(steps),
                                           .normals = normals_of_mrg})),
        .default_threads = threads,
        .default_iters = path_steps / steps,
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<Sums>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_16_steps = step_of<16>("a4_steps16");
const bench::Step of_64_steps = step_of<64>("a4_steps64");

extern const bench::Step step;
const bench::Step step = step_of<256>("a4", steps_choice(&of_16_steps, &of_64_steps));

}  // namespace asian::a4
