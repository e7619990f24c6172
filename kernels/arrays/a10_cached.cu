// Step 10: words that pass through the cache
// Change: as a9, but in chunks of 2^22 samples, 32 MiB, half of the GPU's L2 cache: one kernel makes the words of a
//         chunk, the next one tests them, and the next chunk takes the same memory. The words are those of v6, by a
//         Philox of this suite, which writes 16 bytes at a time and needs no generator in memory. Of these
//         changes a9_philox has only the generator.
// Why:    DRAM has less to do. But a launch is now 32 kernels of some microseconds each, and between two of them
//         the GPU drains and fills again. Predicted: about 210 samples/ns (for 8 MiB), less than DRAM would allow: what the cache
//         gives, the launches take.
// Cost:   DRAM traffic only for the part of a chunk that the cache does not keep, one launch of a kernel per 2^21 samples,
//         Philox's instructions.
// Limit:  the gaps between kernels. Next: one launch for all of them.
// Note:   one phase. Events between the kernels would change what they measure.
#include "bench/estimands/hits/source.hpp"
#include "kernels/arrays/shared/cached_chunk.cuh"
#include "kernels/pi/shared/sources.hpp"

namespace arrays::a10 {

using bench::Count;
using bench::Launch;

constexpr unsigned max_threads = 1024;

__global__ void __launch_bounds__(max_threads) make(Chunk chunk, std::uint64_t seed, std::uint64_t launch) {
    make_words(chunk, seed, launch);
}

__global__ void __launch_bounds__(max_threads) count(Chunk chunk, Count* totals) { add_hits(chunk, totals); }

cudaError_t launch(const Launch& l) {
    return for_each_chunk(l, [&](const Chunk& chunk) {
        make<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(chunk, l.seed, l.index);
        count<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(chunk, l.counts);
        return cudaGetLastError();
    });
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a10",
    .after = "a9",
    .title = "Made and tested in the cache",
    .technique = "chunks of 32 MiB, own Philox, 2 kernels per chunk",
    .lesson = "A cache saves the memory's time, but many short kernels spend it on gaps.",
    .estimand = bench::hits({.source = pi::sources::philox}),
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(make),
    .scratch_bytes = chunk_bytes<>,
    .arrays = {.inspect = inspect_chunk<>},
    .phases = {{"sample", launch}},
};

}  // namespace arrays::a10
