// How v25 to v27 count ones.
#pragma once

#include "kernels/pi/shared/lop3.cuh"

namespace pi {

/// The number of bits that are set in words that come in fours: v22's adders with a second level, so that one word of four is
/// counted.
class CountInFours {
 public:
    __device__ __forceinline__ void add(unsigned a, unsigned b, unsigned c, unsigned d) {
        const unsigned twos = carry_of(ones_, a, b), more_twos = carry_of(ones_, c, d);
        fours_ += __popc(carry_of(twos_, twos, more_twos));
    }
    __device__ __forceinline__ unsigned total() const { return 4 * fours_ + 2 * __popc(twos_) + __popc(ones_); }

 private:
    /// Adds two words to `sum` and returns the carry.
    static __device__ __forceinline__ unsigned carry_of(unsigned& sum, unsigned first, unsigned second) {
        const unsigned carry = lop3<0xe8>(sum, first, second);
        sum = lop3<0x96>(sum, first, second);
        return carry;
    }

    unsigned fours_ = 0, twos_ = 0, ones_ = 0;
};

}  // namespace pi
