// Step 22: count two words at once
// Change: a full adder takes two words of decided samples and the bits left over from those before, and gives one word of twos,
//         which are counted, and one of ones, which stay. All else is v21.
// Why:    a population count takes the XU pipe for eight cycles, and there are two of them in the 16 instructions of 32 samples
//         at the first level, where the samples are: XU is as full as the issue slots. Half as many counts take two lookups more
//         for each that is saved. Predicted: 3 % more than v21, which has a third more instructions than its pipes need.
// Cost:   0.93 instructions per sample.
// Limit:  issue slots and reading registers. No pipe is busier than 75 %.
#include "bench/step.hpp"
#include "kernels/pi/device/block_sum.cuh"
#include "kernels/pi/device/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v22 {

using bench::Launch;

constexpr unsigned threads = 512;

/// The number of bits of all words so far that are set, two words at a time (Harley and Seal in Warren, "Hacker's Delight", 2nd edition, section 5-1).
class CarrySaveCount {
 public:
    __device__ __forceinline__ void add(unsigned word) {
        if (holds_) {
            twos_ += __popc(lop3<0xe8>(ones_, held_, word));  // where two or three of the bits are set
            ones_ = lop3<0x96>(ones_, held_, word);
        }
        held_ = word;
        holds_ = !holds_;
    }
    __device__ __forceinline__ unsigned total() const {
        return 2 * twos_ + __popc(ones_) + (holds_ ? __popc(held_) : 0);
    }

 private:
    unsigned twos_ = 0, ones_ = 0, held_ = 0;
    bool holds_ = false;  // a constant where words come in twos
};

__constant__ const LastCells<10> constant_cells = octant_last_cells_10;

__global__ void __launch_bounds__(threads)
    count_hits(bench::Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<10> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::AlternatingMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const bench::Count local =
        v15::hits_among<OctantNetwork, CarrySaveCount>(draw, iters, cells, [](const v15::Level&) {});

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v22",
    .after = "v21",
    .title = "Count two words at once",
    .technique = "carry-save adders before half as many population counts",
    .lesson = "Work of a slow pipe can often be halved by a few instructions of a fast one.",
    .estimand = bench::hits({.source = sources::alternating_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v22
