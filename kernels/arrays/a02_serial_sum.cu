// Step 2: one thread adds the flags
// Change: as a1, but the flags stay on the GPU, where a kernel of one thread adds them. It runs 2^24 samples, as the
//         article did, and not 2^26.
// Why:    it saves the copy back. Predicted: far slower, 0.004 to 0.03, from 300 to 30 ns a flag.
// Cost:   8 bytes up over PCIe; 24 bytes of GPU memory. The source has the sum in GPU memory. nvcc stores it there after
//         every flag, but keeps it in a register too and does not load it again. As a store might change the next flag,
//         no two flags are loaded at the same time: each addition waits for its own load.
// Limit:  the latency of one thread. Work on the GPU is not parallel for that alone. Next: many threads.
#include "kernels/arrays/shared/flag_hits.cuh"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a2 {

using bench::Count;
using bench::Launch;

constexpr unsigned blocks = 65'536, threads = 256;  // 2^24 samples

__global__ void add_flags(const std::uint32_t* flags, std::uint64_t n, Count* sum, Count* total) {
    *sum = 0;
    for (std::uint64_t i = 0; i < n; i++) {
        *sum += flags[i];
    }
    *total = *sum;
}

cudaError_t add(const Launch& l) {
    add_flags<<<1, 1, 0, l.stream>>>(flags_on_gpu(l), samples_of(l), sums_behind_flags(l), l.counts);
    return cudaGetLastError();
}

std::size_t with_sum(bench::Shape shape, unsigned iters) { return flags_and_sums_bytes(shape, iters, 1); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a2",
    .after = "a1",
    .title = "Serial sum",
    .technique = "one thread of the GPU adds the flags",
    .lesson = "Moving work to the GPU does not make it parallel.",
    .estimand = bench::hits({.source = sources::mt19937}),
    .default_blocks = blocks,
    .default_threads = threads,
    .default_iters = 1,
    .most_iters = 1,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(add_flags),
    .counts = one_count,
    .scratch_bytes = with_sum,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .inspect = check_words, .pcie_up = 8, .dram = 24},
    .phases = {{"rng", make_words, bench::On::host},
               {"transfer", copy_words},
               {"compute", enqueue_flag_hits},
               {"reduce", add}},
};

}  // namespace arrays::a2
