// Step 9: cooperative groups
// Change: as v8, but with a cooperative launch: after a barrier of the whole grid, block 0 adds the blocks' totals on
//         the device, and one count is copied back.
// Why:    the technique, for kernels that need results of all blocks while they run. Predicted: as v8. The sum over a
//         few hundred blocks was never in the timed region, and the barrier costs microseconds.
// Cost:   12.0 instructions per sample, as in v8.
// Limit:  the issue slots, as in v8, and all blocks must be resident together. Next: latency.
#include <cooperative_groups.h>

#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v9 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, Count* grand_total, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    const auto grid = cooperative_groups::this_grid();
    unsigned state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);

    Count local = 0;
    for (unsigned i = 0; i < iters; i++) {
        const float x = to_unit_interval(rng::lcg(&state));
        const float y = to_unit_interval(rng::lcg(&state));
        local += is_hit(x, y) ? 1 : 0;
    }

    store_block_sum(local, &totals[blockIdx.x]);
    grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        Count sum = 0;
        for (unsigned block = 0; block < gridDim.x; block++) {
            sum += totals[block];
        }
        *grand_total = sum;
    }
}

std::size_t one_count(bench::Shape) { return 1; }
std::size_t totals_bytes(bench::Shape shape, unsigned) { return shape.blocks * sizeof(Count); }

cudaError_t launch(const Launch& l) {
    auto* totals = static_cast<Count*>(l.scratch);
    auto* grand_total = l.counts;
    auto iters = l.iters;
    auto seed = l.seed;
    auto index = l.index;
    void* arguments[] = {&totals, &grand_total, &iters, &seed, &index};
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(count_hits), l.shape.blocks, l.shape.threads,
                                       arguments, 0, l.stream);
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v9",
    .after = "v8",
    .title = "Cooperative groups",
    .technique = "grid-wide barrier, sum on the device",
    .lesson = "grid.sync() lets one kernel use what all its blocks computed; here it costs little and gains nothing.",
    .estimand = bench::hits({.source = sources::lcg}),
    .accepted_blocks = bench::Blocks::resident,
    .default_threads = threads,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .counts = one_count,
    .scratch_bytes = totals_bytes,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v9
