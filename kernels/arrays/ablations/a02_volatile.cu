// Ablation of step 2: the sum forced to memory
// Change: as a2, but the sum is accessed through a volatile pointer, so that it is loaded and stored for every flag, as the
//         source text of a2 has it.
#include "kernels/arrays/shared/flag_hits.cuh"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a2_volatile {

using bench::Count;
using bench::Launch;

constexpr unsigned blocks = 65'536, threads = 256;  // 2^24 samples

__global__ void add_flags(const std::uint32_t* flags, std::uint64_t n, volatile Count* sum, Count* total) {
    *sum = 0;
    for (std::uint64_t i = 0; i < n; i++) {
        *sum = *sum + flags[i];
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
    .name = "a2_volatile",
    .after = "a2",
    .title = "a2, sum forced to memory",
    .technique = "serial sum through a volatile pointer",
    .lesson = "What a load and a store of the sum for every flag cost.",
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

}  // namespace arrays::a2_volatile
