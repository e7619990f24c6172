// How v15, v18 and v19 decide samples, 32 with an instruction.
#pragma once

#include "kernels/pi/device/cell_networks.cuh"
#include "kernels/pi/device/cut_cells.hpp"
#include "kernels/pi/device/hit.cuh"

namespace pi::v15 {

/// What became of the samples that reached a level.
struct Level {
    unsigned samples;
    unsigned inside;
    unsigned outside;
    __device__ unsigned cut() const { return samples - inside - outside; }
};

/// A word for each input of the network: 32 lanes, a sample each.
template <typename LevelNetwork, typename Draw>
__device__ __forceinline__ Decided<unsigned> decide_group(Draw& draw) {
    unsigned planes[LevelNetwork::planes];
#pragma unroll
    for (unsigned& plane : planes) {
        plane = draw();
    }
    return LevelNetwork::decide(planes);
}

/// Draws and decides `samples` samples of a level. The last group may be a part of one. A trip takes a whole round of
/// groups, so that the generator's registers need no moves.
template <typename LevelNetwork, typename Draw>
__device__ __forceinline__ Level decide(Draw& draw, unsigned samples) {
    constexpr unsigned lanes = 32, groups = Draw::round;
    Level counts = {samples, 0, 0};
    unsigned left = samples;
    for (; left >= groups * lanes; left -= groups * lanes) {
#pragma unroll
        for (unsigned group = 0; group < groups; group++) {
            const Decided<unsigned> decided = decide_group<LevelNetwork>(draw);
            counts.inside += __popc(decided.inside);
            counts.outside += __popc(decided.outside);
        }
    }
    for (; left > 0; left -= min(left, lanes)) {
        const Decided<unsigned> decided = decide_group<LevelNetwork>(draw);
        const unsigned counted = left >= lanes ? ~0u : (1u << left) - 1;
        counts.inside += __popc(decided.inside & counted);
        counts.outside += __popc(decided.outside & counted);
    }
    return counts;
}

/// A coordinate whose leading 8 bits are byte `byte` of `cell` and whose others are the upper 24 of `word`.
__device__ __forceinline__ unsigned within_cell(unsigned cell, unsigned byte, unsigned word) {
    static_assert(last_level == 8);
    return __byte_perm(word, cell, 0x4321 + 0x1000 * byte);
}

/// Hits among `samples` samples that the last level cut: a slot names the cell, all other bits are new.
template <typename Draw>
__device__ __forceinline__ unsigned test(Draw& draw, unsigned samples, const LastCells& cells) {
    unsigned hits = 0;
#pragma unroll Draw::round
    for (unsigned i = 0; i < samples; i++) {
        const unsigned first = draw();
        const unsigned second = draw();
        const unsigned cell = cells.x_and_y[(first & 0xff) << 1 | (second & 1)];
        hits += folded_hit(within_cell(cell, 0, first), within_cell(cell, 1, second));
    }
    return hits;
}

/// Hits among `samples` samples, which Networks<level> decide; `cells` are their last cells. `record(level)` gets what became
/// of the samples at each level, in order.
template <template <unsigned level> class Networks, typename Draw, typename Record>
__device__ __forceinline__ unsigned hits_among(Draw& draw, unsigned samples, const LastCells& cells, Record record) {
    unsigned hits = 0;
    const auto decided = [&](const Level& level) {
        record(level);
        hits += level.inside;
        return level.cut();
    };
    unsigned left = decided(decide<Networks<3>>(draw, samples));
    left = decided(decide<Networks<4>>(draw, left));
    left = decided(decide<Networks<5>>(draw, left));
    left = decided(decide<Networks<6>>(draw, left));
    left = decided(decide<Networks<7>>(draw, left));
    left = decided(decide<Networks<8>>(draw, left));
    return hits + test(draw, left, cells);
}

}  // namespace pi::v15
