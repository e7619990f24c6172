// Step 16: packed half precision
// Change: as v14, but two samples per instruction, in halves, numbers of 11 bits. A sample is one of 32 x 32 cells,
//         drawn for each sample, and an offset inside the cell, which 87 samples share; 87 more take the mirrored
//         offset.
// Why:    half arithmetic is the only kind of which a thread does two at once. A sample draws only five bits per
//         coordinate. Without the offset its precision would be these five bits, and the bias 1e-2. With the offset,
//         the cells that hit change by group, which adds variance; the mirror takes most of that back. Over all 2^20
//         offsets the hits of a group have 1.0004 times the binomial's variance, 1.15 without the mirror. Predicted:
//         5,000 samples/ns on an H200, all of it effective: twice v14, but behind v15, which needs no arithmetic.
// Cost:   6.0 instructions per sample. A pair takes 11.5: two for a word, two masks, two scalings, four multiply-adds, a
//         comparison and half an addition; the rest are the offsets.
// Limit:  the issue slots, far from full, because of the latency of a test that is a chain of five operations. Next: all
//         pairs at once, on the tensor cores, v16t.
// Note:   five bits of a word already are a half, a subnormal one: k 2^-24. Of (k + ox)^2 + (l + oy)^2 - 32^2 the whole
//         numbers come first and are exact. 2 ox k and 2 oy l are rounded, near the circle to 1/32 of a squared cell
//         and to 1/64. ox^2 + oy^2 is left to the comparison. The sums there are multiples of 1/64, so a sum below the
//         limit is at least 1/64 below it; rounding the limit down makes up for that. The remaining bias, -3.6e-7 of
//         pi, is counted (kernels/pi/shared/expectations.hpp).
#include <cuda_fp16.h>

#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/half_cells.cuh"
#include "kernels/pi/shared/mask_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v16 {

using bench::Count;
using bench::Launch;

constexpr unsigned max_threads = 1024;
constexpr unsigned threads = 256;

// Two equal halves each.
constexpr unsigned two_to_6 = 0x54005400;
constexpr unsigned two_to_10 = 0x64006400;
constexpr unsigned two_to_15 = 0x78007800;
constexpr unsigned two_to_minus_19 = 0x00200020;
constexpr unsigned minus_two_to_minus_8 = 0x9c009c00;

__device__ __forceinline__ __half2 as_halves(unsigned bits) { return reinterpret_cast<const __half2&>(bits); }

/// What the pairs of a group share, lengths in units of 2^9 cells: the first samples' in the lower halves, the second
/// ones' in the upper halves.
struct Offsets {
    __half2 twice_x, twice_y;
    __half2 limit;  // -(x^2 + y^2)
};

/// Twice the offset of two places, (2 place + 1) 2^-19.
__device__ __forceinline__ __half2 twice(unsigned first_place, unsigned second_place) {
    return __hfma2(as_halves(second_place << 16 | first_place), as_halves(two_to_6), as_halves(two_to_minus_19));
}

__device__ __forceinline__ Offsets offsets_of(unsigned word) {
    const CellOffset first = offset_of(word), second = mirrored(first);
    return {twice(first.x, second.x), twice(first.y, second.y),
            as_halves(0x80008000u | squared_offset(second) << 16 | squared_offset(first))};
}

/// For each of a word's two samples 0xffff if it is a hit, otherwise 0.
__device__ __forceinline__ unsigned hit_masks(unsigned word, const Offsets& offsets) {
    const __half2 k = __hmul2(as_halves(word & 0x001f001f), as_halves(two_to_15));
    const __half2 l = __hmul2(as_halves(word & 0x03e003e0), as_halves(two_to_10));
    const __half2 whole = __hfma2(k, k, __hfma2(l, l, as_halves(minus_two_to_minus_8)));
    return __hlt2_mask(__hfma2(l, offsets.twice_y, __hfma2(k, offsets.twice_x, whole)), offsets.limit);
}

/// Unrolled over eight rounds of the generator's 11 words, so that none of them moves.
__device__ __forceinline__ unsigned hits_of_group(rng::FoldedMrgDraws& draw) {
    const Offsets offsets = offsets_of(draw());
    unsigned sum = 0;
#pragma unroll
    for (unsigned i = 0; i < half_group_pairs; i++) {
        sum += hit_masks(draw(), offsets);
    }
    return masks_in_sum(sum);
}

/// The same for fewer samples than a group has. Of an odd last pair only the first one counts.
__device__ __forceinline__ unsigned hits_of_part(rng::FoldedMrgDraws& draw, unsigned samples) {
    const Offsets offsets = offsets_of(draw());
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < samples / 2; i++) {
        sum += hit_masks(draw(), offsets);
    }
    if (samples % 2 != 0) {
        sum += hit_masks(draw(), offsets) & 0xffffu;
    }
    return masks_in_sum(sum);
}

__global__ void __launch_bounds__(max_threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::FoldedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Count local = 0;
    for (unsigned group = 0; group < iters / half_group_samples; group++) {
        local += hits_of_group(draw);
    }
    if (iters % half_group_samples != 0) {
        local += hits_of_part(draw, iters % half_group_samples);
    }

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v16",
    .after = "v14",
    .title = "Packed halves",
    .technique = "two samples an instruction in half precision, offsets inside 32 x 32 cells",
    .lesson = "Low precision needs no bias, if the digits that it lacks are drawn once for many samples.",
    .estimand = bench::hits({.source = sources::half_cells, .independent = bench::Independent::counts}),
    .default_threads = threads,
    .loops_from = 2 * half_group_samples - 1,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v16
