// Sums of numbers and of their squares, for the peers whose estimate is a mean.
#pragma once

#include <cuda_runtime.h>

#include "bench/workers/resources.hpp"
#include "kernels/peers/report.hpp"

namespace peers {

/// Adds a thread's sums to those of all threads. All lanes of a warp call it.
__device__ __forceinline__ void add_to(double* totals, double sum, double squares) {
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
        squares += __shfl_down_sync(0xffffffffu, squares, offset);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&totals[0], sum);
        atomicAdd(&totals[1], squares);
    }
}

/// The two sums of a launch, in device memory.
class Totals {
 public:
    void clear() { CUDA_CHECK(cudaMemset(totals_.data(), 0, 2 * sizeof(double))); }
    double* data() const { return totals_.data(); }
    TimedSums read(double ms) const {
        double sums[2];
        CUDA_CHECK(cudaMemcpy(sums, totals_.data(), sizeof sums, cudaMemcpyDeviceToHost));
        return {ms, sums[0], sums[1]};
    }

 private:
    bench::DeviceBuffer<double> totals_{2};
};

/// Enqueues work on the default stream and times it with the GPU's clock. Returns ms.
template <typename Enqueue>
double between_events(Enqueue enqueue) {
    bench::Event start, end;
    start.record(cudaStream_t{});
    enqueue();
    CUDA_CHECK(cudaGetLastError());
    end.record(cudaStream_t{});
    CUDA_CHECK(cudaDeviceSynchronize());
    return end.ms_since(start);
}

inline unsigned multiprocessors() {
    int count = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return static_cast<unsigned>(count);
}

}  // namespace peers
