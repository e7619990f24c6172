// How many bits are set in words that come in groups, by full adders: Harley and Seal's method (Warren, "Hacker's Delight",
// 2nd edition, section 5-1).
#pragma once

#include "kernels/pi/shared/lop3.cuh"

namespace pi {

/// The carries of a full adder, and its sums.
__device__ __forceinline__ unsigned carries_of(unsigned a, unsigned b, unsigned c) { return lop3<0xe8>(a, b, c); }
__device__ __forceinline__ unsigned sums_of(unsigned a, unsigned b, unsigned c) { return lop3<0x96>(a, b, c); }

/// Of words in pairs: a word of twos, which is counted, and one of ones, which the next pair adds to.
class CountInPairs {
 public:
    __device__ __forceinline__ void add(unsigned first, unsigned second) {
        twos_ += __popc(carries_of(ones_, first, second));
        ones_ = sums_of(ones_, first, second);
    }
    __device__ __forceinline__ unsigned total() const { return 2 * twos_ + __popc(ones_); }

 private:
    unsigned twos_ = 0, ones_ = 0;
};

/// Of words in fours: with a second level of adders, so that one word of four is counted.
class CountInFours {
 public:
    __device__ __forceinline__ void add(unsigned a, unsigned b, unsigned c, unsigned d) {
        const unsigned twos = added(ones_, a, b), more_twos = added(ones_, c, d);
        fours_ += __popc(added(twos_, twos, more_twos));
    }
    __device__ __forceinline__ unsigned total() const { return 4 * fours_ + 2 * __popc(twos_) + __popc(ones_); }

 private:
    /// Adds two words to `sum` and returns the carries.
    static __device__ __forceinline__ unsigned added(unsigned& sum, unsigned first, unsigned second) {
        const unsigned carries = carries_of(sum, first, second);
        sum = sums_of(sum, first, second);
        return carries;
    }

    unsigned fours_ = 0, twos_ = 0, ones_ = 0;
};

}  // namespace pi
