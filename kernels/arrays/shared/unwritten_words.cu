#include <string>

#include "bench/errors.hpp"
#include "bench/step.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/arrays/shared/unwritten_words.hpp"
#include "kernels/random/thread_id.cuh"

namespace arrays {
namespace {

__global__ void count_unwritten(const std::uint32_t* words, std::size_t n, bench::Count* unwritten) {
    bench::Count mine = 0;
    for (std::size_t i = rng::grid_thread(); i < n; i += rng::grid_threads()) {
        mine += words[i] == 0xffffffffu ? 1 : 0;
    }
    if (mine > 0) atomicAdd(unwritten, mine);
}

}  // namespace

void refuse_unwritten(const std::uint32_t* words, std::size_t n, cudaStream_t stream) {
    const bench::DeviceBuffer<bench::Count> count(1);
    CUDA_CHECK(cudaMemsetAsync(count.data(), 0, sizeof(bench::Count), stream));
    count_unwritten<<<1024, 256, 0, stream>>>(words, n, count.data());
    CUDA_CHECK(cudaGetLastError());
    bench::Count unwritten = 0;
    CUDA_CHECK(cudaMemcpyAsync(&unwritten, count.data(), sizeof unwritten, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    // A word is 0xffffffff once in 2^32; four times as many and eight more are no chance.
    if (unwritten > 8 + n / (std::size_t{1} << 30)) {
        throw bench::VerdictError(std::to_string(unwritten) + " of " + std::to_string(n) + " words were never written");
    }
}

}  // namespace arrays
