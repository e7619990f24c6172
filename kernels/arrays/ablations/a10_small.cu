// Ablation of step 10: small chunks
// Change: as a10, with chunks of 2^20 samples, 8 MiB.
// Why:    an H200's L2 cache has two halves, and a chunk of 32 MiB does not wholly stay in it. One of 8 MiB does, but there
//         are four times as many kernels, each a fourth as long. Predicted: slower, because a kernel of 3 microseconds
//         waits as long for the next one as it runs.
#include "bench/estimands/hits/source.hpp"
#include "kernels/arrays/shared/cached_chunk.cuh"
#include "kernels/pi/shared/sources.hpp"

namespace arrays::a10_small {

using bench::Count;
using bench::Launch;

constexpr unsigned max_threads = 1024;
constexpr std::uint64_t most = std::uint64_t{1} << 20;

__global__ void __launch_bounds__(max_threads) make(Chunk chunk, std::uint64_t seed, std::uint64_t launch) {
    make_words(chunk, seed, launch);
}

__global__ void __launch_bounds__(max_threads) count(Chunk chunk, Count* totals) { add_hits(chunk, totals); }

cudaError_t launch(const Launch& l) {
    return for_each_chunk<most>(l, [&](const Chunk& chunk) {
        make<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(chunk, l.seed, l.index);
        count<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(chunk, l.counts);
        return cudaGetLastError();
    });
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a10_small",
    .after = "a10",
    .title = "a10 with small chunks",
    .technique = "chunks of 8 MiB",
    .lesson = "Smaller chunks stay in the cache, and pay with more gaps between kernels.",
    .estimand = bench::hits({.source = pi::sources::philox}),
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(make),
    .scratch_bytes = chunk_bytes<most>,
    .arrays = {.inspect = inspect_chunk<most>},
    .phases = {{"sample", launch}},
};

}  // namespace arrays::a10_small
