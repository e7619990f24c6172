// Step 2: paths and their numbers in one kernel
// Change: as a1, but a thread makes its normals where it uses them: the hybrid Tausworthe generator and Box-Muller on XU.
//         It walks one path at a time, with two exponentials a step, as in GPU Gems 3, chapter 37.
// Why:    a step of a1 moves 16 bytes through memory. Here it moves none. Predicted: 450 to 500 path-steps/ns on an H200.
// Cost:   60 instructions per path-step, 6 of them on XU.
// Limit:  the issue slots, 556 path-steps/ns, then the ALU pipe, on which the generator shifts, and XU: 697.
// Note:   the chapter's listing passes the parameters of the two assets in another order than the function declares.
//         Its pair of words can be u = 0, which makes an infinite normal: here no word does.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian::a2 {

using bench::Launch;

constexpr unsigned threads = 256;  // as in the source

template <unsigned steps>
__global__ void __launch_bounds__(threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::HybridTauswortheDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        PricePath<steps> path;
#pragma unroll 8
        for (unsigned t = 0; t < steps; t++) {
            const unsigned radius_word = draw();
            const unsigned angle_word = draw();
            path.step(rng::normal_pair(radius_word, angle_word));
        }
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
        .after = "a1",
        .title = "Paths and their numbers in one kernel",
        .technique = "hybrid Tausworthe, Box-Muller on XU, two exponentials a step",
        .lesson = "Numbers that are made where they are used need no memory.",
        .estimand = bench::means(price_of({.steps = steps,
                                           .generator = rng::HybridTauswortheDraws::generator.name,
                                           .soundness = bench::Soundness::demonstration,
                                           .float_error = error_of_products(steps),
                                           .normals = normals_of_tausworthe})),
        .default_threads = threads,
        .default_iters = path_steps / steps,
        .loops_from = loops_from,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<Sums>,
        .phases = {{"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_16_steps = step_of<16>("a2_steps16");
const bench::Step of_64_steps = step_of<64>("a2_steps64");

extern const bench::Step step;
const bench::Step step = step_of<256>("a2", steps_choice(&of_16_steps, &of_64_steps));

}  // namespace asian::a2
