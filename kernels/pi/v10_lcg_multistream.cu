// Step 10: four LCG streams per thread
// Change: as v8, but with four independent streams per thread: x from one LCG family, y from another, two of each. The
//         coordinates are scaled by a constant.
// Why:    each draw of v8 waits for the one before; four chains could fill that wait. Predicted: little, 5 % at most,
//         because 64 warps on a multiprocessor hide the latency of one multiply-add already.
// Cost:   11.3 instructions per sample: as in v8, but the compiler unrolls to 16 samples per trip, so there is less
//         loop around them.
// Limit:  the issue slots and the ALU pipe, as in v8, not latency. Next: the conversions.
// Note:   x and y come from different generators, each on its full cycle of 2^32, so here they are independent. Each
//         coordinate alone is still that of a demonstration generator.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v10 {

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
        const float y = rng::lcg_glibc(&s1) * scale;
        return is_hit(x, y) ? 1 : 0;
    };
    const auto hit_of_second_pair = [&] {
        const float x = rng::lcg(&s2) * scale;
        const float y = rng::lcg_glibc(&s3) * scale;
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
    .name = "v10",
    .after = "v8",
    .title = "LCG multistream",
    .technique = "4 streams per thread, two LCG families",
    .lesson = "Instruction-level parallelism gains nothing where enough warps hide the latency already.",
    .estimand = bench::hits({.source = sources::lcg_two_families}),
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v10
