// How v15 and v18 to v24 decide samples, 32 with an instruction.
#pragma once

#include "kernels/pi/shared/cell_networks.cuh"
#include "kernels/pi/shared/cut_cells.hpp"
#include "kernels/pi/shared/hit.cuh"

namespace pi::v15 {

constexpr unsigned lanes = 32;  // samples of a word

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

/// The bits of a word that count if so many samples are left. A signed number may be below 0.
template <typename Number>
__device__ __forceinline__ unsigned counted(Number left) {
    return left >= Number{lanes} ? ~0u : (1u << max(left, Number{0})) - 1;
}

/// Decides the samples that are `left` of a level, fewer than a trip. Groups come by the generator's turns, so that each level
/// begins with the same one; a group without samples counts none.
template <typename LevelNetwork, typename Draw>
__device__ __forceinline__ void decide_rest(Draw& draw, unsigned left, Level& counts) {
    while (left > 0) {
#pragma unroll
        for (unsigned turn = 0; turn < Draw::turns; turn++) {
            const Decided<unsigned> decided = decide_group<LevelNetwork>(draw);
            counts.inside += __popc(decided.inside & counted(left));
            counts.outside += __popc(decided.outside & counted(left));
            left -= min(left, lanes);
        }
    }
}

/// Draws and decides `samples` samples of a level, in trips of `groups` groups and then the rest.
template <typename LevelNetwork, unsigned groups, typename Draw>
__device__ __forceinline__ Level decide(Draw& draw, unsigned samples) {
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
    decide_rest<LevelNetwork>(draw, left, counts);
    return counts;
}

/// A trip takes a whole round of groups, so that the generator's registers need no moves.
struct WholeRounds {
    template <typename LevelNetwork, typename Draw>
    static __device__ __forceinline__ Level decide(Draw& draw, unsigned samples) {
        return v15::decide<LevelNetwork, Draw::round>(draw, samples);
    }
};

/// A coordinate whose leading `level` bits are one of the halves of `cell` and whose others are the upper ones of `word`.
template <unsigned level>
__device__ __forceinline__ unsigned within_cell(unsigned cell, unsigned half, unsigned word) {
    if constexpr (level == 8) {
        return __byte_perm(word, cell, 0x4321 + 0x1000 * half);
    } else {
        return __funnelshift_r(word, cell >> 16 * half, level);
    }
}

/// Hits among `samples` samples that the last level cut: a slot names the cell, all other bits are new.
template <typename Draw, unsigned level>
__device__ __forceinline__ unsigned test(Draw& draw, unsigned samples, const LastCells<level>& cells) {
    unsigned hits = 0;
#pragma unroll Draw::round
    for (unsigned i = 0; i < samples; i++) {
        const unsigned first = draw();
        const unsigned second = draw();
        const unsigned cell = cells.x_and_y[first % (1u << level) << 1 | (second & 1)];
        hits += folded_hit(within_cell<level>(cell, 0, first), within_cell<level>(cell, 1, second));
    }
    return hits;
}

/// Hits among `samples` samples that reach `level`. Networks<level> and those after it decide them; `cells` are the last
/// cells. Trips says how a level is decided.
template <template <unsigned level> class Networks, typename Trips = WholeRounds, unsigned level = first_level,
          typename Draw, unsigned last_level>
__device__ __forceinline__ unsigned hits_among(Draw& draw, unsigned samples, const LastCells<last_level>& cells) {
    const Level counts = Trips::template decide<Networks<level>>(draw, samples);
    if constexpr (level < last_level) {
        return counts.inside + hits_among<Networks, Trips, level + 1>(draw, counts.cut(), cells);
    } else {
        return counts.inside + test(draw, counts.cut(), cells);
    }
}

}  // namespace pi::v15
