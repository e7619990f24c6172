// The hybrid Tausworthe generator of Howes and Thomas, "Efficient random number generation and application using CUDA",
// GPU Gems 3, chapter 37: three linear feedback shift registers and an LCG, exclusive-ored.
#pragma once

#include <cuda_runtime.h>

#include "kernels/random/lcg.cuh"

namespace rng {

/// Advances a shift register and returns it: a component of taus88 (L'Ecuyer, "Maximally equidistributed combined
/// Tausworthe generators", Mathematics of Computation 65, 1996). `s3` low bits of the state are not used; a state without
/// any other bit runs into 0 and stays there.
template <unsigned s1, unsigned s2, unsigned s3, unsigned s4>
__host__ __device__ __forceinline__ unsigned tausworthe(unsigned* state) {
    constexpr unsigned used = ~0u << s3;
    const unsigned feedback = ((*state << s1) ^ *state) >> s2;
    *state = ((*state & used) << s4) ^ feedback;
    return *state;
}

/// The period is (2^31 - 1) (2^29 - 1) (2^28 - 1) 2^32 draws, unless a register starts in a state that runs into 0. The
/// chapter gives the second register a period of 2^30 - 1; it has 29 bits.
class HybridTausworthe {
 public:
    /// The three registers and the LCG.
    __host__ __device__ __forceinline__ HybridTausworthe(unsigned a, unsigned b, unsigned c, unsigned lcg)
        : state_{a, b, c, lcg} {}

    __host__ __device__ __forceinline__ unsigned operator()() {
        const unsigned a = tausworthe<13, 19, 1, 12>(&state_[0]);
        const unsigned b = tausworthe<2, 25, 3, 4>(&state_[1]);
        const unsigned c = tausworthe<3, 11, 4, 17>(&state_[2]);
        return a ^ b ^ c ^ lcg(&state_[3]);
    }

    /// Word number i of the state.
    __host__ __device__ unsigned state(unsigned i) const { return state_[i]; }

 private:
    unsigned state_[4];
};

/// A bit that each register uses. Set in a first state, it keeps the register from 0.
inline constexpr unsigned tausworthe_used_bit = 128;

}  // namespace rng
