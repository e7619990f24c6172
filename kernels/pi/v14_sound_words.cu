// Step 14: sound words at the same price
// Change: as v13, but the words come from a multiple recursive generator of 31 words in registers: x[n] = a x[n - 31] +
//         x[n - 13] modulo 2^32, the multiply-add of the LCG with its addend from a register.
// Why:    the LCG is unsound because of its one word of state, not because of its arithmetic. 31 words of state cost no
//         instruction: unrolled to 31 samples, 62 draws, the registers are renamed and nothing moves. Predicted: v13's
//         rate.
// Cost:   7.2 instructions per sample, as in v13, and 50 registers per thread: one block of 1024 is resident, not two.
// Limit:  the issue slots, as in v13. Next: 32 samples in one instruction.
// Note:   the period is (2^31 - 1) 2^31 draws, and 2^930 such cycles share the states that threads start from. Bits 0
//         to 7 of a word are weak (the lowest is a shift register), and a float keeps the upper 24. Those pass the
//         batteries, but not a test of the parity of words n, n - 13 and n - 31 in bits 8 to 11
//         (kernels/random/mrg.cuh). The candidates that lost are in ablations/v14_*.cu.
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v14 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;  // the most a block may have
constexpr unsigned unrolled = 31;   // samples a trip: whole rounds of the generator's 31 words

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Count local = 0;
    for (unsigned i = 0; i < iters / unrolled; i++) {
        unsigned hits = 0;
#pragma unroll
        for (unsigned j = 0; j < unrolled; j++) {
            const unsigned x = draw();
            const unsigned y = draw();
            hits += folded_hit(x, y);
        }
        local += hits;
    }
    for (unsigned i = 0; i < iters % unrolled; i++) {
        const unsigned x = draw();
        const unsigned y = draw();
        local += folded_hit(x, y);
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v14",
    .after = "v13",
    .title = "Sound words",
    .technique = "multiple recursive generator, 31 words in registers",
    .lesson = "State in registers is free: a sound generator need not cost an instruction more than an LCG.",
    .estimand = bench::hits({.source = sources::mrg}),
    .default_threads = threads,
    .loops_from = 2 * unrolled - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v14
