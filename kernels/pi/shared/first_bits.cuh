// The first level of OctantNetwork bit by bit, as v24 draws it.
#pragma once

#include "kernels/pi/shared/cell_networks.cuh"

namespace pi {

/// OctantNetwork<3> for samples with v1 = 1 and v3 = 0, which are inside or cut. Its planes are v0, v2 and v4.
struct NearPieces {
    static constexpr unsigned planes = 3;
    template <typename Word>
    static __host__ __device__ __forceinline__ Decided<Word> decide(const Word (&v)[planes]) {
        return {lop3<0x1b>(v[2], v[0], v[1]), Word{}};
    }
};

}  // namespace pi
