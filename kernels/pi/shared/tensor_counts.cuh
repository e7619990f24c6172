// The counts of v27 for its ablations and those of v26.
#pragma once

#include "kernels/pi/shared/bit_counts.cuh"

namespace pi {

/// How many bits are set in a warp's words, as v27::TensorCounts counts them: `total` of all lanes together.
class TensorCounts {
 public:
    __device__ __forceinline__ void add(unsigned a, unsigned b, unsigned c, unsigned d) {
        // Volatile, so that it stays where no lane is missing.
        asm volatile(
            "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, "
            "{%0, %1, %2, %3};"
            : "+r"(product_[0]), "+r"(product_[1]), "+r"(product_[2]), "+r"(product_[3])
            : "r"(a), "r"(b), "r"(c), "r"(d), "r"(~0u));
    }
    __device__ __forceinline__ unsigned total() const {
        const bool has_first_column = threadIdx.x % 4 == 0;
        return has_first_column ? product_[0] + product_[2] : 0;
    }

 private:
    unsigned product_[4] = {};
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using OnesOfWarp = TensorCounts;
#else  // has no product with AND
using OnesOfWarp = CountInFours;
#endif

}  // namespace pi
