// Step 1: normals from a library, through memory
// Change: as a0, with random numbers: cuRAND's host interface fills an array with normals, and a second kernel walks the
//         paths that they give.
// Why:    this is what most tutorials do. Predicted: 200 to 280 path-steps/ns on an H200.
// Cost:   103 instructions per path-step, four fifths of them the library's; 16 bytes of DRAM traffic: two normals,
//         written and read.
// Limit:  the issue slots in the library's kernel, which takes most of the time; DRAM in the walk. Next: numbers that
//         never go to memory.
// Note:   the generator is Philox, whose words need no set-up; cuRAND's default, XORWOW, would spend most of a launch on
//         its own. It goes on from launch to launch. The normals of a step lie side by side for neighbouring threads.
#include <memory>

#include "bench/step.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/curand_words.hpp"
#include "kernels/random/thread_id.cuh"

namespace asian::a1 {

using bench::Launch;

constexpr unsigned steps = 256;
constexpr unsigned blocks = 1024, threads = 256, iters = 1;  // 512 MiB of normals

struct Normals : bench::Equipment {
    rng::CurandWords source{rng::philox_words, rng::CurandWords::Side::gpu};
};

std::unique_ptr<bench::Equipment> equip(const Launch& l) {
    auto normals = std::make_unique<Normals>();
    normals->source.use(l.stream);
    return normals;
}

std::size_t normals_of(bench::Shape shape, unsigned iters) { return 2 * steps * bench::total_threads(shape) * iters; }
std::size_t bytes_of_normals(bench::Shape shape, unsigned iters) {
    return bench::bytes_of(bench::total_threads(shape) * iters, 2 * steps * sizeof(float));
}

/// Path p uses the normals p, p + paths, p + 2 paths, ...: z_a and z_b in turn.
__global__ void __launch_bounds__(threads) price(bench::Count* counts, unsigned iters, const float* normals) {
    const std::uint64_t paths = rng::grid_threads() * iters;
    Sums sums;
    for (unsigned i = 0; i < iters; i++) {
        const float* next = normals + i * rng::grid_threads() + rng::grid_thread();
        PricePath<steps> path;
#pragma unroll 8
        for (unsigned t = 0; t < steps; t++) {
            path.step({next[paths], next[0]});
            next += 2 * paths;
        }
        add_path(&sums, path.excess());
    }
    options::publish(sums, counts);
}

cudaError_t make_normals(const Launch& l) {
    rng::CurandWords& source = static_cast<Normals*>(l.equipment)->source;
    const std::size_t normals = normals_of(l.shape, l.iters);
    source.begin(l.seed, l.index, normals);
    source.generate_normals(static_cast<float*>(l.scratch), normals);
    return cudaSuccess;
}

cudaError_t simulate(const Launch& l) {
    price<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, static_cast<const float*>(l.scratch));
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a1",
    .after = "a0",
    .title = "Normals from a library",
    .technique = "cuRAND Philox normals into device memory",
    .lesson = "Numbers that go through memory cost what memory costs.",
    .estimand = bench::means(price_of({.steps = steps,
                                       .generator = "cuRAND Philox4_32_10, normals",
                                       .soundness = bench::Soundness::not_tested,
                                       .float_error = error_of_products(steps),
                                       .normals = normals_of_curand})),
    .default_blocks = blocks,
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(price),
    .counts = counts_of<Sums>,
    .scratch_bytes = bytes_of_normals,
    .equip = equip,
    .arrays = {.dram = 16},
    .phases = {{"rng", make_normals}, {"simulate", simulate}},
};

}  // namespace asian::a1
