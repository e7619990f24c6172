// Multiply-with-carry with 64 bits of state.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace rng {

/// D. Thomas, "The MWC64X random number generator", 2011: (c, x) := A x + c in 64 bits. A draw is x ^ c of the previous
/// state. The period is about 2^63.
class Mwc64x {
 public:
    __host__ __device__ __forceinline__ Mwc64x(unsigned x, unsigned carry) : x_(x), carry_(carry % (multiplier - 1)) {
        if (x_ == 0 && carry_ == 0) {  // a fixed point; the other one, x = ~0, has the carry A - 1, which % excludes
            x_ = 1;
        }
    }

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned draw = x_ ^ carry_;
        const std::uint64_t next = std::uint64_t{multiplier} * x_ + carry_;
        x_ = static_cast<unsigned>(next);
        carry_ = static_cast<unsigned>(next >> 32);
        return draw;
    }

 private:
    static constexpr unsigned multiplier = 4294883355u;
    unsigned x_;
    unsigned carry_;
};

}  // namespace rng
