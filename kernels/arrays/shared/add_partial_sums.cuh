// The last sum, introduced by a3: one block adds up what the blocks before it counted.
#pragma once

#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"

namespace arrays {

inline constexpr unsigned adding_threads = 1024;

/// One block. Stores the sum of `n` partial sums; `unwritten` if one of them was never written.
static __global__ void __launch_bounds__(adding_threads)
    add_partial_sums(const bench::Count* partial, unsigned n, bench::Count* total) {
    bench::Count mine = 0;
    bool missing = false;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        mine += partial[i];
        missing |= partial[i] == bench::unwritten;
    }
    const bool any_missing = __syncthreads_or(missing);
    pi::store_block_sum(mine, total);
    if (any_missing && threadIdx.x == 0) *total = bench::unwritten;
}

/// Enqueues it.
inline cudaError_t enqueue_add_partial_sums(const bench::Count* partial, unsigned n, bench::Count* total,
                                            cudaStream_t stream) {
    add_partial_sums<<<1, adding_threads, 0, stream>>>(partial, n, total);
    return cudaGetLastError();
}

}  // namespace arrays
