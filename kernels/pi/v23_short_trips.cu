// Step 23: shorter trips
// Change: from level 5 on a trip has 10 groups where it had 20, if 10 groups take whole rounds of words. All else is v22.
// Why:    the loops of eight levels, 20 groups each, are 119 KB of code. Warps are at different levels, and an instruction cache
//         that does not hold all of it makes them wait. What is left at a level, fewer samples than a trip, goes group by
//         group, and shorter trips leave less. A trial said 3 % before this was a step.
// Cost:   0.915 instructions per sample.
// Limit:  the ALU pipe and the issue slots, which are almost equally busy.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/pi/v22_paired_counts.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v23 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

/// Groups of a trip from level 5 on: 10 if they take whole rounds of words, else 20.
template <typename LevelNetwork, typename Draw>
constexpr unsigned short_trip = 10 * LevelNetwork::planes % Draw::round == 0 ? 10 : 20;

/// How a level is decided.
struct Trips {
    template <typename LevelNetwork, typename Draw>
    static __device__ __forceinline__ v15::Level decide(Draw& draw, unsigned samples) {
        if constexpr (v22::counted_in_pairs<LevelNetwork>) {
            return v22::decide_in_pairs<LevelNetwork, Draw::round>(draw, samples);
        } else {
            return v15::decide<LevelNetwork, short_trip<LevelNetwork, Draw>>(draw, samples);
        }
    }
};

__constant__ const LastCells<10> constant_cells = octant_last_cells_10;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<10> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = v15::hits_among<OctantNetwork, Trips>(draw, iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v23",
    .after = "v22",
    .title = "Shorter trips",
    .technique = "loops of 10 groups instead of 20 from level 5 on",
    .lesson = "Unroll no further than the generator needs: code has a cache, too.",
    .estimand = bench::hits({.source = sources::alternating_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(10, v15::lanes* rng::AlternatingMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v23
