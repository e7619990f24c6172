// Step 3: Wallace
// Change: as a2, but the normals come from Wallace's generator, as in n5: a pool of 2048 in shared memory for each block.
//         A pass gives a thread the normals of four steps.
// Why:    a step's two normals cost 14 instructions instead of 45, and no result of XU. Predicted: 1,100 path-steps/ns on
//         an H200: the issue slots allow 1,390, and every fourth step has a barrier. In the chapter it was 1.06 times a2.
// Cost:   24.4 instructions per path-step, 2 of them on XU; two reads and two writes of shared memory.
// Limit:  the issue slots, and threads that wait for each other. Next: words that cost as little and are sound.
// Note:   unsound by construction (options_wallace_tests). Billions of paths show that the price is off by one part in ten
//         thousand, which the record knows. a3_source_pool has n4's pool.
#include "bench/step.hpp"
#include "kernels/options/asian/shared/wallace_paths.cuh"

namespace asian::a3 {

using bench::Launch;

template <unsigned steps>
__global__ void __launch_bounds__(rng::pool_threads)
    price(bench::Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch, rng::WallaceMemory memory) {
    price_with_wallace<rng::SwizzledPool, steps>(counts, iters, seed, launch, memory);
}

template <unsigned steps>
cudaError_t launch(const Launch& l) {
    price<steps><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index,
                                                                   wallace_memory<steps>(l));
    return cudaGetLastError();
}

template <unsigned steps>
bench::Step step_of(const char* name, const std::shared_ptr<const bench::OwnOptions>& own_options = {}) {
    return {
        .name = name,
        .after = "a2",
        .title = "Wallace",
        .technique = "pools in shared memory, two exponentials a step",
        .lesson = "Normals from normals cost little, and only billions of paths show that they make the price wrong.",
        .estimand = bench::means(wallace_price(steps, normals_of_swizzled_pool)),
        .accepted_threads = bench::Threads::fixed,
        .default_threads = rng::pool_threads,
        .default_iters = path_steps / steps,
        .loops_from = wallace_loops_from<steps>,
        .kernel = reinterpret_cast<const void*>(price<steps>),
        .counts = counts_of<Sums>,
        .scratch_bytes = wallace_bytes<steps>,
        .phases = {{"pools", fill_pools<steps>}, {"price", launch<steps>}},
        .own = {.options = own_options},
    };
}

const bench::Step of_16_steps = step_of<16>("a3_steps16");
const bench::Step of_64_steps = step_of<64>("a3_steps64");

extern const bench::Step step;
const bench::Step step = step_of<256>("a3", steps_choice(&of_16_steps, &of_64_steps));

}  // namespace asian::a3
