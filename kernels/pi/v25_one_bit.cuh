// How v25 to v27 count who goes where: a warp walks a tree, and each sample draws one bit at a time.
#pragma once

#include <cstddef>

#include "bench/step.hpp"
#include "kernels/pi/shared/bit_counts.cuh"
#include "kernels/pi/shared/halving.cuh"
#include "kernels/pi/v15_bit_sliced.cuh"

namespace pi::v25 {

using v15::lanes;

constexpr unsigned warp = 32, whole_warp = ~0u;

/// The ones among the next `samples` bits of this lane, in trips of `words` words and then in rounds. All lanes draw as many
/// rounds as the one with the most samples needs. `Ones` counts words in fours.
template <typename Ones, unsigned words, typename Draw>
__device__ __forceinline__ unsigned ones_among(Draw& draw, unsigned samples) {
    static_assert(words % Draw::round == 0 && words % 4 == 0);
    constexpr int trip = words * lanes;
    Ones ones;
    int left = static_cast<int>(samples);
#pragma unroll 1
    for (; __all_sync(whole_warp, left >= trip); left -= trip) {
#pragma unroll
        for (unsigned four = 0; four < words / 4; four++) {
            const unsigned a = draw(), b = draw(), c = draw(), d = draw();
            ones.add(a, b, c, d);
        }
    }
    unsigned rest = 0;
#pragma unroll 1
    while (__any_sync(whole_warp, left > 0)) {
#pragma unroll
        for (unsigned word = 0; word < Draw::round; word++) {
            rest += __popc(draw() & v15::counted(left));
            left -= static_cast<int>(lanes);
        }
    }
    return ones.total() + rest;
}

/// Hits among `samples` samples of this lane in the cell of a leaf. A round of words makes ten samples.
template <typename Draw>
__device__ __forceinline__ unsigned test(Draw& draw, unsigned samples, unsigned leaf) {
    constexpr unsigned of_round = Draw::round / 2;
    unsigned hits = 0;
#pragma unroll 1
    for (unsigned done = 0; __any_sync(whole_warp, done < samples); done += of_round) {
#pragma unroll
        for (unsigned i = 0; i < of_round; i++) {
            const unsigned first = draw(), second = draw();
            const unsigned hit = hit_in_leaf(leaf, first, second);
            hits += done + i < samples ? hit : 0;
        }
    }
    return hits;
}

/// The sum over the warp, in its first lane.
__device__ __forceinline__ unsigned warp_sum(unsigned mine) {
    for (unsigned offset = warp / 2; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(whole_warp, mine, offset);
    }
    return mine;
}

/// Of the samples that one half of a node got: takes them to the child, or returns those that are inside.
__device__ __forceinline__ unsigned settle(unsigned child, unsigned samples, unsigned* count) {
    if (child >= first_child) count[child - first_child] = samples;
    return child == settled_inside ? samples : 0;
}
__device__ __forceinline__ unsigned settle_both(unsigned children, unsigned samples, unsigned ones, unsigned* count) {
    return settle(children & 0xffff, samples - ones, count) + settle(children >> 16, ones, count);
}

/// What this lane counts of the hits among the warp's samples, `iters` a lane. `count` has room for each node of the tree.
/// SharedOnes counts the words of nodes that the lanes share, in trips of `words` words.
template <typename SharedOnes, unsigned words, typename Tree, typename Draw>
__device__ __forceinline__ unsigned count_by_halving(Draw& draw, const Tree& tree, unsigned iters, unsigned* count) {
    const unsigned lane = threadIdx.x % warp;
    unsigned hits = 0;
    if (lane == 0) count[0] = warp * iters;
    for (unsigned node = 0; node < tree.first_of_layer[shared_layers]; node++) {
        __syncwarp();
        const unsigned samples = count[node];
        const unsigned mine = samples / warp + (lane < samples % warp ? 1 : 0);
        const unsigned ones = warp_sum(ones_among<SharedOnes, words>(draw, mine));
        if (lane == 0) hits += settle_both(tree.node[node], samples, ones, count);
    }
    for (unsigned layer = shared_layers; layer < Tree::last_layer; layer++) {
        __syncwarp();
        const unsigned end = tree.first_of_layer[layer + 1];
        for (unsigned first = tree.first_of_layer[layer]; first < end; first += warp) {
            const unsigned node = min(first + lane, end - 1);  // a lane too many does as the last one, for nothing
            const unsigned samples = count[node];
            const unsigned ones = ones_among<CountInFours, Draw::round>(draw, samples);
            if (first + lane < end) hits += settle_both(tree.node[node], samples, ones, count);
        }
    }
    __syncwarp();
    for (unsigned first = Tree::first_leaf; first < Tree::nodes; first += warp) {
        const unsigned node = min(first + lane, Tree::nodes - 1);
        hits += test(draw, first + lane < Tree::nodes ? count[node] : 0, tree.node[node]);
    }
    return hits;
}

/// Step::scratch_bytes of a step whose warps walk a Tree: a count for each of its nodes.
template <typename Tree>
std::size_t bytes_of_counts(bench::Shape shape, unsigned) {
    return bench::bytes_of(total_threads(shape) / warp, sizeof Tree::node);
}

}  // namespace pi::v25
