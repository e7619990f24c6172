// Step 1: the test on the GPU, arrays copied
// Change: as a0, but the GPU tests the samples, one thread for each: X and Y are copied up, the flags are copied back,
//         and the host adds them. Host memory is pageable, as malloc gives it.
// Why:    the article's first CUDA version. Predicted: 0.19, slower than a0. The test was 7 % of the time, so a test for
//         nothing could gain 7 %, and the copies cost 1.2 ns per sample. The words still take 3.5 ns.
// Cost:   8 bytes up and 4 back over PCIe, through the driver's pinned buffer; 24 bytes of GPU memory.
// Limit:  one core's generator, then the copies. Next: the flags stay on the GPU.
#include "bench/workers/check.hpp"
#include "kernels/arrays/shared/flag_hits.cuh"
#include "kernels/arrays/shared/host_flags.hpp"
#include "kernels/arrays/shared/phases.hpp"
#include "kernels/arrays/shared/sources.hpp"

namespace arrays::a1 {

using bench::Launch;

constexpr unsigned blocks = 262'144, threads = 256;  // 2^26 samples

constexpr unsigned transfer = 1, compute = 2;  // of the phases below

cudaError_t copy_test_copy(const Launch& l) {
    l.phase_clock->begin(transfer, l.stream);
    CUDA_CHECK(copy_words(l));
    l.phase_clock->end(transfer, l.stream);

    l.phase_clock->begin(compute, l.stream);
    CUDA_CHECK(enqueue_flag_hits(l));
    l.phase_clock->end(compute, l.stream);

    l.phase_clock->begin(transfer, l.stream);
    CUDA_CHECK(cudaMemcpyAsync(flags_on_host(l), flags_on_gpu(l), samples_of(l) * word_bytes, cudaMemcpyDeviceToHost,
                               l.stream));
    l.phase_clock->end(transfer, l.stream);
    return cudaSuccess;
}

cudaError_t add(const Launch& l) {
    l.counts[0] = sum_on_host(flags_on_host(l), samples_of(l), usable_cores());
    return cudaSuccess;
}

extern const bench::Step step;
const bench::Step step = {
    .name = "a1",
    .after = "a0",
    .title = "Copied arrays",
    .technique = "test on the GPU, pageable copies up and back, sum on the host",
    .lesson = "A part of 7 % cannot gain more than 7 %, and copies cost more than that.",
    .estimand = bench::hits({.source = sources::mt19937}),
    .default_blocks = blocks,
    .default_threads = threads,
    .default_iters = 1,
    .most_iters = 1,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(flag_hits),
    .counts = one_count,
    .scratch_bytes = flags_bytes,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = flags_bytes, .inspect = check_words, .pcie_up = 8, .pcie_down = 4, .dram = 24},
    .phases = {{"rng", make_words, bench::On::host},
               {"transfer", copy_test_copy, bench::On::both},
               {"compute"},
               {"reduce", add, bench::On::host}},
};

}  // namespace arrays::a1
