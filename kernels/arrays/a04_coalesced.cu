// Step 4: coalesced access, a fixed grid
// Change: as a3, but the grid has a fixed size and its threads stride over the arrays, so that neighbouring threads read
//         neighbouring words. Sums are kept in registers, then added over the block.
// Why:    a warp reads 128 bytes in a row, and all lanes work. Predicted: test and sum together at 269 samples/ns, 16 bytes
//         a sample at 4,300 GB/s; 0.23 in all.
// Cost:   8 bytes up over PCIe; 24 bytes of GPU memory, 8 of them the copy's. No limit on the number of samples follows
//         from the grid or from sums in float, as in the article's first versions.
// Limit:  one core's generator. On the GPU, its memory. Next: no flags.
#include "bench/workers/check.hpp"
#include "kernels/arrays/shared/add_partial_sums.cuh"
#include "kernels/arrays/shared/arrays.hpp"
#include "kernels/arrays/shared/hit.cuh"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"
#include "kernels/random/thread_id.cuh"

namespace arrays::a4 {

using bench::Count;
using bench::Launch;

constexpr unsigned blocks = 1024, threads = 256, iters = 256;  // 2^26 samples on every GPU
constexpr unsigned max_threads = 1024;

__global__ void __launch_bounds__(max_threads) flag_hits(std::uint32_t* flags, Words words) {
    for (std::uint64_t i = rng::grid_thread(); i < words.samples; i += rng::grid_threads()) {
        flags[i] = is_hit(words.x[i], words.y[i]) ? 1 : 0;
    }
}

__global__ void __launch_bounds__(max_threads) add_flags(const std::uint32_t* flags, std::uint64_t n, Count* sums) {
    Count mine = 0;
    for (std::uint64_t i = rng::grid_thread(); i < n; i += rng::grid_threads()) {
        mine += flags[i];
    }
    pi::store_block_sum(mine, &sums[blockIdx.x]);
}

cudaError_t test(const Launch& l) {
    flag_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(flags_on_gpu(l), words_on_gpu(l));
    return cudaGetLastError();
}

cudaError_t add(const Launch& l) {
    Count* const sums = sums_behind_flags(l);
    add_flags<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(flags_on_gpu(l), samples_of(l), sums);
    CUDA_CHECK(cudaGetLastError());
    return enqueue_add_partial_sums(sums, l.shape.blocks, l.counts, l.stream);
}

std::size_t with_sums(bench::Shape shape, unsigned iters) { return flags_and_sums_bytes(shape, iters, shape.blocks); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a4",
    .after = "a3",
    .title = "Coalesced",
    .technique = "fixed grid, neighbouring threads read neighbouring words, sums in registers",
    .lesson = "Memory delivers whole sectors. Threads that use them whole waste none of its rate.",
    .estimand = bench::hits({.source = sources::mt19937}),
    .default_blocks = blocks,
    .default_threads = threads,
    .default_iters = iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(flag_hits),
    .counts = one_count,
    .scratch_bytes = with_sums,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .inspect = check_words, .pcie_up = 8, .dram = 24},
    .phases = {{"rng", make_words, bench::On::host}, {"transfer", copy_words}, {"compute", test}, {"reduce", add}},
};

}  // namespace arrays::a4
