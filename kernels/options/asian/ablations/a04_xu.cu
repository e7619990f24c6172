// Ablation of step 4: its words alone
// Change: as a2, with the words of a4, and with its loop of whole rounds of them. Sine and cosine stay on XU.
// Why:    a4 changes the words and the pipe of the sine. This is the change of the words alone. Predicted: XU's limit of
//         697 path-steps/ns on an H200, of which 660 are reached; the polynomials gain the rest of a4.
// Cost:   25.5 instructions per path-step, 6 of them on XU.
// Limit:  XU. The issue slots are half empty.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a4_xu {

using bench::Launch;

constexpr unsigned steps = 256;
constexpr unsigned threads = 256;
constexpr unsigned resident = 3;   // blocks of a multiprocessor, as in a4
constexpr unsigned unrolled = 31;  // steps a trip: whole rounds of the generator's 31 words

template <unsigned n>
__device__ __forceinline__ void walk(PricePath<steps>& path, rng::MrgDraws& draw) {
#pragma unroll
    for (unsigned t = 0; t < n; t++) {
        const unsigned radius_word = draw();
        const unsigned angle_word = draw();
        path.step(rng::normal_pair(radius_word, angle_word));
    }
}

__global__ void __launch_bounds__(threads, resident)
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

cudaError_t launch(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a4_xu",
    .after = "a2",
    .title = "a2, words of a4",
    .technique = "MRG of 31 words, Box-Muller on XU",
    .lesson = "Cheaper words gain what the slowest pipe leaves.",
    .estimand = bench::means(price_of({.steps = steps,
                                       .generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .float_error = error_of_products(steps),
                                       .normals = whole_circle_normals_of_mrg})),
    .default_threads = threads,
    .default_iters = path_steps / steps,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums>,
    .phases = {{"price", launch}},
};

}  // namespace asian::a4_xu
