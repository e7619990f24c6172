// Chunks of a10 and a11: words that are made, and tested while they are in the L2 cache.
#pragma once

#include <algorithm>

#include "bench/step.hpp"
#include "kernels/arrays/shared/arrays.hpp"
#include "kernels/arrays/shared/philox_quad.cuh"
#include "kernels/arrays/shared/unwritten_words.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/random/thread_id.cuh"

namespace arrays {

/// Most samples of a chunk: 32 MiB of words, half of an H200's L2. A grid of more threads has larger ones.
inline constexpr std::uint64_t chunk_samples = std::uint64_t{1} << 22;

/// A part of a launch: these samples of every thread, and the memory for their words.
struct Chunk {
    unsigned first, samples;  // per thread; first is a multiple of samples_per_quad
    uint4 *x, *y;             // quad q of thread t at q * T + t
};

/// Most quads of a thread in a chunk of `most` samples.
template <std::uint64_t most>
unsigned quads_of_chunk(bench::Shape shape, unsigned iters) {
    const std::uint64_t fit = most / samples_per_quad / bench::total_threads(shape);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(fit, 1, quads_of(iters)));
}

/// Memory of a chunk.
template <std::uint64_t most = chunk_samples>
std::size_t chunk_bytes(bench::Shape shape, unsigned iters) {
    return bench::bytes_of(bench::total_threads(shape), quads_of_chunk<most>(shape, iters) * sizeof(Quad));
}

/// Calls `launch(chunk)` for each chunk of a launch, in order. Returns the first error.
template <std::uint64_t most = chunk_samples, typename LaunchChunk>
cudaError_t for_each_chunk(const bench::Launch& l, LaunchChunk launch) {
    const unsigned quads = quads_of_chunk<most>(l.shape, l.iters);
    auto* x = static_cast<uint4*>(l.scratch);
    auto* y = x + bench::total_threads(l.shape) * quads;
    const unsigned per_thread = quads * samples_per_quad;
    for (std::uint64_t first = 0; first < l.iters; first += per_thread) {
        const auto of_chunk = static_cast<unsigned>(first);
        const cudaError_t error = launch(Chunk{of_chunk, std::min(per_thread, l.iters - of_chunk), x, y});
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

/// Makes this thread's words of a chunk of launch `launch`. All samples of its last quad are made.
__device__ __forceinline__ void make_words(const Chunk& chunk, std::uint64_t seed, std::uint64_t launch) {
    const std::uint64_t t = rng::grid_thread(), threads = rng::grid_threads();
    const unsigned first = chunk.first / samples_per_quad;
    for (unsigned q = 0; q < quads_of(chunk.samples); q++) {
        const Quad quad = make_quad(seed, rng::subsequence(launch), first + q);
        chunk.x[q * threads + t] = quad.x;
        chunk.y[q * threads + t] = quad.y;
    }
}

/// Adds the hits of a chunk to the count of this block. The first chunk of a launch begins the count.
__device__ __forceinline__ void add_hits(const Chunk& chunk, bench::Count* totals) {
    const std::uint64_t t = rng::grid_thread(), threads = rng::grid_threads();
    unsigned hits = 0;
#pragma unroll 4
    for (unsigned q = 0; q < chunk.samples / samples_per_quad; q++) {
        hits += hits_of_quad({chunk.x[q * threads + t], chunk.y[q * threads + t]}, samples_per_quad);
    }
    if (const unsigned rest = chunk.samples % samples_per_quad; rest > 0) {
        const std::uint64_t last = chunk.samples / samples_per_quad * threads + t;
        hits += hits_of_quad({chunk.x[last], chunk.y[last]}, rest);
    }
    const bench::Count before = chunk.first == 0 || threadIdx.x > 0 ? 0 : totals[blockIdx.x];
    pi::store_block_sum(before + hits, &totals[blockIdx.x]);
}

/// Step::inspect: throws VerdictError if there are words that were not written.
template <std::uint64_t most = chunk_samples>
void inspect_chunk(const bench::Launch& l) {
    refuse_unwritten(static_cast<const std::uint32_t*>(l.scratch),
                     chunk_bytes<most>(l.shape, l.iters) / sizeof(std::uint32_t), l.stream);
}

}  // namespace arrays
