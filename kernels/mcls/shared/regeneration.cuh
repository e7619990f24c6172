// Histories that follow each other in a lane without waiting for the other lanes, introduced by v12.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/walk.cuh"

namespace mcls {

/// Which histories a block walks at a time, if starts are stratified.
enum class Order {
    side_by_side,  // neighbours: their rows are near each other
    spread,        // from all strata: their tallies are far from each other
    in_turn        // neighbours too, the same ones as all other blocks: each block has histories of all strata
};

/// Histories of a launch, shared out among the threads of a block.
class Share {
 public:
    /// The part of `histories` of this block. All threads of the block call it.
    __device__ __forceinline__ explicit Share(std::uint64_t histories, Order order = Order::side_by_side)
        : first_(histories / gridDim.x * blockIdx.x + min(std::uint64_t{blockIdx.x}, histories % gridDim.x)),
          size_(static_cast<std::uint32_t>(histories / gridDim.x + (blockIdx.x < histories % gridDim.x ? 1 : 0))),
          order_(order) {
        __shared__ std::uint32_t taken;
        taken_ = &taken;
        if (threadIdx.x == 0) taken = 0;
        __syncthreads();
    }

    /// Takes the next history. False if none is left.
    __device__ __forceinline__ bool take(std::uint64_t* history) const {
        const std::uint32_t number = atomicAdd(taken_, 1u);
        *history = order_ == Order::side_by_side
                       ? first_ + number
                       : std::uint64_t{order_ == Order::spread ? spread(number) : number} * gridDim.x + blockIdx.x;
        return number < size_;
    }

    // Of histories that are side by side.
    __device__ __forceinline__ std::uint64_t first() const { return first_; }
    __device__ __forceinline__ std::uint32_t size() const { return size_; }

 private:
    /// A permutation of the numbers of the share: each is in another section than those before it.
    __device__ __forceinline__ std::uint32_t spread(std::uint32_t number) const {
        constexpr std::uint32_t sections = 1024, step = 619;  // no common factor
        const std::uint32_t section = size_ / sections;
        return number < sections * section ? number * step % sections * section + number / sections : number;
    }

    std::uint64_t first_;
    std::uint32_t size_;  // at most most_of_share
    Order order_;
    std::uint32_t* taken_;
};

/// Walks histories of the share until none is left, four words at a time: the lanes of a warp are at different places of
/// different histories. Calls begin(history, the word of its start), which returns a Start; visit(state, weight) for each state,
/// the start too; and end() after the history.
template <class Rows, class Begin, class Visit, class End>
__device__ __forceinline__ Work walk_share(const Share& share, const Rows& rows, const Limits& limits,
                                           const PhiloxKeys& keys, std::uint32_t launch, Begin begin, Visit visit,
                                           End end) {
    Work done;
    std::uint32_t state = 0, left = 0, quad_number = 0;
    double weight = 0, least = 0;
    HistoryId id = {launch, 0};
    bool walks = false;
    const auto enter = [&] {
        visit(state, weight);
        walks = left > 0 && !(fabs(weight) < least);
    };
    const auto step = [&](std::uint32_t word) {
        if (!walks) return;
        const Move move = rows(state, word);
        walks = move.next != absorbed;
        if (!walks) return;
        left--;
        state = move.next;
        weight *= move.factor;
        enter();
    };
    for (;;) {
        const bool fresh = !walks;
        if (fresh) {
            done.transitions -= left;
            if (done.histories > 0) end();
            if (!share.take(&id.history)) break;
            done.transitions += limits.steps;
            done.histories++;
            quad_number = 0;
        }
        const rng::PhiloxCounter quad = quad_of(keys, id, quad_number++);
        if (fresh) {
            const Start start = begin(id.history, (std::uint64_t{quad.word[0]} << 32) | quad.word[1]);
            state = start.state;
            weight = start.weight;
            least = limits.cutoff * fabs(weight);
            left = limits.steps;
            enter();
        } else {
            step(quad.word[0]);
            step(quad.word[1]);
        }
        step(quad.word[2]);
        step(quad.word[3]);
    }
    return done;
}

/// The same with an Adjoint or a Stratified method; add(entry, amount) is called for each visit.
template <class Method, class Add>
__device__ __forceinline__ Work walk_share(const Share& share, const Method& method, const PhiloxKeys& keys,
                                           std::uint32_t launch, Add add) {
    return walk_share(
        share, method.rows, method.limits, keys, launch,
        [&](std::uint64_t history, std::uint64_t word) { return method.start(history, word); },
        [&](std::uint32_t state, double weight) { add(state, to_fixed(weight)); }, [] {});
}

}  // namespace mcls
