// The counts of a launch (bench/estimands/solution/solution_of.hpp) in global memory. They are sums of whole numbers, so their order
// does not matter, except for the tallies in double precision of v1 to v8, which are rounded (launches/double_kernels.cuh).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bench/estimands/solution/solution_of.hpp"
#include "bench/step.hpp"

namespace mcls {

using bench::first_tally, bench::histories_count, bench::transitions_count;

/// What a thread has done. Design::histories_of_block keeps it from having more histories than it counts.
struct Work {
    std::uint64_t transitions = 0;
    std::uint32_t histories = 0;
};

/// Tallies in global memory.
struct Tallies {
    bench::Count* tally;

    __device__ __forceinline__ void add(std::uint32_t entry, std::int64_t amount) const {
        atomicAdd(&tally[entry], static_cast<bench::Count>(amount));
    }
};

struct Counts {
    bench::Count* counts;  // zeros before the launch where the kernel adds

    /// Those of the entries of x.
    __host__ __device__ __forceinline__ Tallies tallies() const { return {counts + first_tally}; }

    /// Adds the work of a thread. All threads of a warp call it.
    __device__ __forceinline__ void add_work(bench::Count transitions, bench::Count histories) const {
        for (int offset = 16; offset > 0; offset /= 2) {
            transitions += __shfl_down_sync(0xffffffffu, transitions, offset);
            histories += __shfl_down_sync(0xffffffffu, histories, offset);
        }
        if (threadIdx.x % 32 == 0) {
            atomicAdd(&counts[transitions_count], transitions);
            atomicAdd(&counts[histories_count], histories);
        }
    }
    __device__ __forceinline__ void add_work(Work done) const { add_work(done.transitions, done.histories); }
};

}  // namespace mcls
