// Step 3: partial sums
// Change: as a2, but 4096 blocks of one thread add a share of the flags each, and one block adds the 4096 sums.
// Why:    thousands of loads are on their way at the same time. Predicted: the sum takes 1/50 to 1/150 ns a flag, and is
//         nothing beside the words again: 0.22.
// Cost:   as a2; each sum is stored after every flag too. A warp has one lane that works, and the shares are contiguous: of
//         each 32 bytes that memory delivers, a lane takes 4 at a time, and the rest later, if a cache still has it.
// Limit:  one core's generator. In the sum, lanes that do nothing. Next: neighbouring threads read neighbouring flags.
#include "bench/workers/check.hpp"
#include "kernels/arrays/shared/add_partial_sums.cuh"
#include "kernels/arrays/shared/flag_hits.cuh"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a3 {

using bench::Count;
using bench::Launch;

constexpr unsigned blocks = 262'144, threads = 256;  // 2^26 samples
constexpr unsigned shares = 4096;

__global__ void add_shares(const std::uint32_t* flags, std::uint64_t n, Count* sums) {
    const std::uint64_t share = (n + gridDim.x - 1) / gridDim.x;
    const std::uint64_t begin = min(n, blockIdx.x * share), end = min(n, begin + share);
    sums[blockIdx.x] = 0;
    for (std::uint64_t i = begin; i < end; i++) {
        sums[blockIdx.x] += flags[i];
    }
}

cudaError_t add(const Launch& l) {
    Count* const sums = sums_behind_flags(l);
    add_shares<<<shares, 1, 0, l.stream>>>(flags_on_gpu(l), samples_of(l), sums);
    CUDA_CHECK(cudaGetLastError());
    return enqueue_add_partial_sums(sums, shares, l.counts, l.stream);
}

std::size_t with_sums(bench::Shape shape, unsigned iters) { return flags_and_sums_bytes(shape, iters, shares); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a3",
    .after = "a2",
    .title = "Partial sums",
    .technique = "4096 blocks of one thread add contiguous shares, then one block",
    .lesson = "A sum can be split. Even one lane of each warp is enough to make it disappear from the total.",
    .estimand = bench::hits({.source = sources::mt19937}),
    .default_blocks = blocks,
    .default_threads = threads,
    .default_iters = 1,
    .most_iters = 1,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(add_shares),
    .counts = one_count,
    .scratch_bytes = with_sums,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .inspect = check_words, .pcie_up = 8, .dram = 24},
    .phases = {{"rng", make_words, bench::On::host},
               {"transfer", copy_words},
               {"compute", enqueue_flag_hits},
               {"reduce", add}},
};

}  // namespace arrays::a3
