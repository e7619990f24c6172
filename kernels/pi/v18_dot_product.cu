// Step 18: two turns for a word instead of three
// Change: the generator. A multiply-add modulo 2^32 makes a lagged word, as in v14, and a dot product of the bytes of
//         another word of the state is added to it: DotMrg. All else is v15.
// Why:    v15 waits for the pipe of its multiplications, in which a word takes three turns. A multiply-add of 32 bits takes
//         one turn and so does a dot product, on the same pipe: two turns instead of three. Predicted: 3 / 2 of
//         v15 if only that pipe counted. But 42 instructions for 32 samples then fill the issue slots at 25,000
//         samples/ns, and no kernel of mixed pipes has filled them. So 19,000 to 22,000 on an H200.
// Cost:   1.32 instructions per sample.
// Limit:  the issue slots, closely followed by the FMA heavy pipe, which makes the words, and the ALU pipe, which runs the
//         logic. None is full.
// Note:   a plain MRG (v14) has weak low bits, as they never depend on high ones, and a bit plane needs every bit. The dot
//         product brings all bytes of a word down to bit 0. Like v15's, these words are sound in bit planes only. One
//         sample in 128 takes two whole words, in the last test, after level 8.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v18 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;

__constant__ const LastCells<8> constant_cells = last_cells;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<8> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    rng::DotMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = v15::hits_among<Network>(draw, iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v18",
    .after = "v15",
    .title = "Dot-product words",
    .technique = "32-bit multiply-add and a dot product of bytes a word, sound in every bit",
    .lesson = "The bottleneck was the price of a random word; an instruction for neural networks makes a cheaper one.",
    .estimand = bench::hits({.source = sources::dot_sliced}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(8, v15::lanes* rng::DotMrgDraws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v18
