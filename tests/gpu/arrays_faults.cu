#include <cstring>

#include "bench/workers/check.hpp"
#include "kernels/arrays/device/add_partial_sums.cuh"
#include "kernels/arrays/device/phases.hpp"
#include "tests/gpu/arrays_faults.hpp"

namespace arrays::a4 {
extern const bench::Step step;
}

using bench::Launch;

namespace {

enum { rng, transfer, compute, reduce };  // phases of a4

cudaError_t leave_a_flag(const Launch& l) {
    CUDA_CHECK(arrays::a4::step.phases[compute].run(l));
    return cudaMemsetAsync(arrays::flags_on_gpu(l) + 5, 0xff, arrays::word_bytes, l.stream);
}

cudaError_t leave_a_word_behind(const Launch& l) {
    const std::size_t bytes = arrays::samples_of(l) * arrays::words_of_sample - arrays::word_bytes;
    return cudaMemcpyAsync(l.scratch, l.host, bytes, cudaMemcpyHostToDevice, l.stream);
}

cudaError_t leave_words_unmade(const Launch& l) {
    CUDA_CHECK(arrays::make_words(l));
    std::memset(arrays::words_on_host(l).x + 1000, 0xff, 100 * arrays::word_bytes);
    return cudaSuccess;
}

cudaError_t leave_a_partial_sum(const Launch& l) {
    CUDA_CHECK(arrays::a4::step.phases[reduce].run(l));
    bench::Count* const sums = arrays::sums_behind_flags(l);
    CUDA_CHECK(cudaMemsetAsync(sums + 1, 0xff, sizeof *sums, l.stream));
    return arrays::enqueue_add_partial_sums(sums, l.shape.blocks, l.counts, l.stream);
}

}  // namespace

bench::Step arrays_with(ArraysFault fault) {
    bench::Step step = arrays::a4::step;
    switch (fault) {
        case ArraysFault::unwritten_flag:
            step.phases[compute].run = leave_a_flag;
            break;
        case ArraysFault::incomplete_copy:
            step.phases[transfer].run = leave_a_word_behind;
            break;
        case ArraysFault::unwritten_words:
            step.phases[rng].run = leave_words_unmade;
            break;
        case ArraysFault::unwritten_partial:
            step.phases[reduce].run = leave_a_partial_sum;
            break;
    }
    return step;
}
