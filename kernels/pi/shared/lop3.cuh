// Any Boolean function of three inputs, 32 bits at a time.
#pragma once

#include <cuda_runtime.h>

namespace pi {

/// Each result bit is bit 4a + 2b + c of `table`, for the input bits a, b, c. This is the instruction LOP3 (PTX ISA,
/// lop3.b32, immLut).
template <unsigned table>
__host__ __device__ __forceinline__ unsigned lop3(unsigned a, unsigned b, unsigned c) {
    static_assert(table < 256);
#ifdef __CUDA_ARCH__
    unsigned result;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(table));
    return result;
#else
    unsigned result = 0;
    for (unsigned row = 0; row < 8; row++) {
        if (table >> row & 1) {
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
        }
    }
    return result;
#endif
}

}  // namespace pi
