#include "kernels/arrays/shared/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "bench/errors.hpp"
#include "bench/workers/check.hpp"
#include "kernels/arrays/shared/host_words.hpp"
#include "kernels/arrays/shared/unwritten_words.hpp"

namespace arrays {
namespace {

/// Throws VerdictError if a word on the GPU is not that on the host.
void compare(const std::uint32_t* host, const std::uint32_t* gpu, std::uint64_t words) {
    std::vector<std::uint32_t> copy(std::min<std::uint64_t>(words, 1 << 22));
    for (std::uint64_t first = 0; first < words; first += copy.size()) {
        const auto n = std::min<std::uint64_t>(copy.size(), words - first);
        CUDA_CHECK(cudaMemcpy(copy.data(), gpu + first, n * word_bytes, cudaMemcpyDeviceToHost));
        const auto end = copy.begin() + static_cast<std::ptrdiff_t>(n);
        const auto differs = std::mismatch(copy.begin(), end, host + first).first;
        if (differs != end) {
            throw bench::VerdictError(fmt::format("word {} on the GPU is not that of the host: a copy is incomplete",
                                                  first + static_cast<std::uint64_t>(differs - copy.begin())));
        }
    }
}

}  // namespace

cudaError_t make_words(const bench::Launch& l) {
    make_words(words_on_host(l), {l.seed, l.index});
    return cudaSuccess;
}

cudaError_t copy_words(const bench::Launch& l) {
    return cudaMemcpyAsync(l.scratch, l.host, samples_of(l) * words_of_sample, cudaMemcpyHostToDevice, l.stream);
}

void check_words(const bench::Launch& l) {
    const std::uint64_t words = 2 * samples_of(l);
    compare(words_on_host(l).x, words_on_gpu(l).x, words);
    refuse_unwritten(words_on_gpu(l).x, words, l.stream);
}

}  // namespace arrays
