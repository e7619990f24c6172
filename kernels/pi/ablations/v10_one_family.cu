// Ablation of step 10: one LCG family
// Change: as v10, but all four streams come from the generator of v8. x and y still have separate states.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v10_one_family {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr float scale = 1.0f / 4294967296.0f;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    unsigned s0 = rng::stream_seed(seed, launch, rng::grid_thread(), 0);
    unsigned s1 = rng::stream_seed(seed, launch, rng::grid_thread(), 1);
    unsigned s2 = rng::stream_seed(seed, launch, rng::grid_thread(), 2);
    unsigned s3 = rng::stream_seed(seed, launch, rng::grid_thread(), 3);
    const auto hit_of_first_pair = [&] {
        const float x = rng::lcg(&s0) * scale;
        const float y = rng::lcg(&s1) * scale;
        return is_hit(x, y) ? 1 : 0;
    };
    const auto hit_of_second_pair = [&] {
        const float x = rng::lcg(&s2) * scale;
        const float y = rng::lcg(&s3) * scale;
        return is_hit(x, y) ? 1 : 0;
    };

    Count local = 0;
    for (unsigned i = 0; i < iters / 4; i++) {
        local += hit_of_first_pair();
        local += hit_of_second_pair();
        local += hit_of_first_pair();
        local += hit_of_second_pair();
    }
    for (unsigned i = 0; i < iters % 4; i++) {
        local += i % 2 == 0 ? hit_of_first_pair() : hit_of_second_pair();
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v10_one_family",
    .after = "v10",
    .title = "v10, one LCG family",
    .technique = "4 streams per thread, all of one family",
    .lesson = "What the second family of step 10 costs: its constants are only operands.",
    .estimand = bench::hits({.source = sources::lcg_one_family}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v10_one_family
