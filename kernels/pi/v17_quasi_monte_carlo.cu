// Step 17: quasi-Monte Carlo
// Change: as v13, but without random points. A launch tests the points of Sobol's sequence, which are spread as evenly
//         as points can be, all shifted digit by digit by the same two random words, a scrambling. The words are
//         cuRAND's, but not its generator. The hits of a sample are counted as a float.
// Why:    the error of such an even set falls as N^-3/4 and not as N^-1/2. Predicted: 1e-7 of pi from one launch of
//         2^32 points, for which 10^15 random points would be needed, and 1e-8 from a hundred. A point costs no more
//         than a random one: the points of 32 successive numbers differ from the first by constants, so a word is one
//         XOR. cuRAND's generator looks up a direction number in local memory for every word, 23 instructions
//         per point. And the multiply-add that ends the test can clamp its result to [0, 1], which makes it the hit.
//         Summed by additions, the hits leave the ALU pipe, which has words and conversions to do, a fifth less work
//         than sums of sign bits would. Predicted: 3,700 samples/ns on an H200.
// Cost:   7.7 instructions per sample, which is a point; 4.5 of them on the ALU pipe.
// Limit:  the ALU pipe. The set has 2^32 points, as many as there are words. Beyond that only more scramblings help, by
//         one over the root of their number.
// Note:   the points of a launch depend on each other, so only whole launches show an error: at least 16. The hit rule
//         is v13's. A launch should have a power of two of points: other numbers are less even.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/sobol.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v17 {

using bench::Count;
using bench::Launch;

constexpr unsigned blocks = 256;                           // of these threads: 2^18
constexpr unsigned threads = 1024;                         // the most a block may have
constexpr unsigned iters = 16'384;                         // 2^32 points
constexpr float radius_squared = 18446744073709551616.0f;  // 2^64

/// folded_hit as a float. In PTX because nvcc clamps by an instruction of its own; a distance is whole, so none lies
/// between 0 and 1.
__device__ __forceinline__ float hit(rng::SobolPoint point) {
    const float x = static_cast<float>(point.x);
    const float y = static_cast<float>(point.y);
    float clamped;
    asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(clamped) : "f"(-x), "f"(x), "f"(fmaf(-y, y, radius_squared)));
    return clamped;
}

__global__ void __launch_bounds__(threads) count_hits(Count* totals, unsigned iters, rng::SobolPoint shift) {
    const rng::SobolStretch groups = rng::sobol_groups_of(rng::grid_thread(), iters);
    const rng::SobolStretch rest = rng::sobol_rest_of(rng::grid_thread(), rng::grid_threads(), iters);

    Count local = 0;
    for (unsigned i = 0; i < groups.points; i += rng::sobol_group) {
        const rng::SobolPoint first = rng::sobol_point(groups.first + i) ^ shift;
        float hits = 0;
#pragma unroll
        for (unsigned j = 0; j < rng::sobol_group; j++) {
            hits += hit(first ^ rng::sobol_point(j));
        }
        local += static_cast<unsigned>(hits);
    }
    for (unsigned i = 0; i < rest.points; i++) {
        const rng::SobolPoint point = rng::sobol_point(rest.first + i) ^ shift;
        local += folded_hit(point.x, point.y);
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, rng::sobol_shift(l.seed, l.index));
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v17",
    .after = "v13",
    .title = "Quasi-Monte Carlo",
    .technique = "Sobol points, a random shift for each launch",
    .lesson = "Points spread evenly come far closer than random ones; how close, only several random shifts can tell.",
    .estimand = bench::hits(
        {.source = sources::sobol, .independent = bench::Independent::launches, .most_samples = rng::sobol_points}),
    .default_blocks = blocks,
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = 2 * rng::sobol_group - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v17
