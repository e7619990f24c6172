// Step 12: one kernel for all chunks
// Change: as a11, but a launch is one kernel. Each block makes chunks of its own, of 16 samples a thread, and tests each one
//         before it makes the next: barriers of the block stand where a11 has a new kernel. A thread tests words that
//         another warp made, so all of them are written to memory and read again.
// Why:    the GPU no longer drains between chunks, and while one block waits for its words another one computes.
//         Predicted: 330 to 400 samples/ns, if the words come from L2. A chunk is 32 KiB, so L1 may keep some of it.
// Cost:   41.8 instructions per sample, as Philox computes its keys anew for every counter; 8 bytes written to L2.
// Limit:  the FMA heavy pipe, with Philox's wide multiplications, and the words' path to memory; predicted were the issue slots.
//         Next: no arrays at all, which is pi's step 6: the same words stay in registers.
#include "bench/estimands/hits/source.hpp"
#include "kernels/arrays/shared/arrays.hpp"
#include "kernels/arrays/shared/philox_quad.cuh"
#include "kernels/arrays/shared/unwritten_words.hpp"
#include "kernels/mcls/shared/resident.cuh"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/thread_id.cuh"

namespace arrays::a12 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = fixed_threads;
constexpr unsigned quads = 4;  // of a thread in a chunk: more of them leave L1
constexpr unsigned chunk_samples = quads * samples_per_quad;

/// Where the words of thread `t` lie in its block's chunk: those of a warp one behind the other, quad by quad, x before y.
__device__ __forceinline__ uint4* words_of(uint4* chunk, unsigned t) {
    return chunk + t / pi::warp_size * (pi::warp_size * 2 * quads) + t % pi::warp_size;
}
constexpr unsigned next_y = pi::warp_size, next_quad = 2 * pi::warp_size;

/// Makes a thread's words of a chunk, from its quad number `first` on.
__device__ __forceinline__ void make_words(uint4* words, std::uint64_t seed, std::uint64_t subsequence,
                                           unsigned first) {
#pragma unroll
    for (unsigned q = 0; q < quads; q++) {
        const Quad quad = make_quad(seed, subsequence, first + q);
        words[q * next_quad] = quad.x;
        words[q * next_quad + next_y] = quad.y;
    }
}

/// Hits of a thread's words of a chunk.
__device__ __forceinline__ unsigned hits_of(const uint4* words) {
    unsigned hits = 0;
#pragma unroll
    for (unsigned q = 0; q < quads; q++) {
        hits += hits_of_quad({words[q * next_quad], words[q * next_quad + next_y]}, samples_per_quad);
    }
    return hits;
}

__global__ void __launch_bounds__(threads, mcls::resident_blocks(threads, 8))
    count_hits(uint4* words, Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    uint4* const chunk = words + std::uint64_t{blockIdx.x} * blockDim.x * 2 * quads;
    uint4* const mine = words_of(chunk, threadIdx.x);
    const uint4* const of_other = words_of(chunk, blockDim.x - 1 - threadIdx.x);
    const std::uint64_t subsequence = rng::subsequence(launch);
    unsigned hits = 0, first = 0;
    for (; iters - first >= chunk_samples; first += chunk_samples) {
        make_words(mine, seed, subsequence, first / samples_per_quad);
        __syncthreads();
        hits += hits_of(of_other);
        __syncthreads();
    }
#pragma unroll 1
    for (; first < iters; first += samples_per_quad) {  // what is left, quad by quad: whole chunks keep all registers
        const Quad quad = make_quad(seed, subsequence, first / samples_per_quad);
        mine[0] = quad.x;
        mine[next_y] = quad.y;
        __syncthreads();
        hits += hits_of_quad({of_other[0], of_other[next_y]}, iters - first);
        __syncthreads();
    }
    pi::store_block_sum(hits, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(static_cast<uint4*>(l.scratch), l.counts, l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

std::size_t chunks_bytes(bench::Shape shape, unsigned) {
    return bench::bytes_of(bench::total_threads(shape), quads * sizeof(Quad));
}

void inspect(const Launch& l) {
    if (l.iters < chunk_samples) return;  // no chunk is whole
    refuse_unwritten(static_cast<const std::uint32_t*>(l.scratch), chunks_bytes(l.shape, l.iters) / word_bytes,
                     l.stream);
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a12",
    .after = "a11",
    .title = "One kernel",
    .technique = "each block makes and tests chunks of 32 KiB of its own",
    .lesson = "What only a block needs can be passed on behind a barrier of the block; the GPU need not drain for it.",
    .estimand = bench::hits({.source = pi::sources::philox}),
    .default_blocks = fixed_blocks,
    .default_threads = threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = chunks_bytes,
    .arrays = {.inspect = inspect},
    .phases = {{"sample", launch}},
};

}  // namespace arrays::a12
