// How v22 to v24 count the decided samples of two groups at once.
#pragma once

#include "kernels/pi/shared/bit_counts.cuh"
#include "kernels/pi/shared/cell_networks.cuh"
#include "kernels/pi/v15_bit_sliced.cuh"

namespace pi::v22 {

/// As v15::decide, with the counts of two groups at a time. `groups` is even.
template <typename LevelNetwork, unsigned groups, typename Draw>
__device__ __forceinline__ v15::Level decide_in_pairs(Draw& draw, unsigned samples) {
    static_assert(groups % 2 == 0);
    CountInPairs inside, outside;
    unsigned left = samples;
    for (; left >= groups * v15::lanes; left -= groups * v15::lanes) {
#pragma unroll
        for (unsigned pair = 0; pair < groups / 2; pair++) {
            const Decided<unsigned> first = v15::decide_group<LevelNetwork>(draw);
            const Decided<unsigned> second = v15::decide_group<LevelNetwork>(draw);
            inside.add(first.inside, second.inside);
            outside.add(first.outside, second.outside);
        }
    }
    v15::Level counts = {samples, inside.total(), outside.total()};
    v15::decide_rest<LevelNetwork>(draw, left, counts);
    return counts;
}

/// Levels 3 and 4 have five planes and three quarters of all groups.
template <typename LevelNetwork>
constexpr bool counted_in_pairs = LevelNetwork::planes == 5;

}  // namespace pi::v22
