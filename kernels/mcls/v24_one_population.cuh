// How the walkers of a place part among its slots, of v24.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/shared/population.cuh"
#include "kernels/mcls/v23_counted_walkers.cuh"
#include "kernels/random/draws.cuh"

namespace mcls::v24 {

/// The words of a thread: whole rounds for the bits of many walkers, single ones for those of few.
struct Words {
    using Rounds = rng::AlternatingMrgDraws;

    Rounds rounds;
    rng::Mwc64x single;

    __device__ explicit Words(const bench::StreamId& id)
        : rounds(id), single(rng::state_of(id, Rounds::round), rng::state_of(id, Rounds::round + 1)) {}
};

/// Walkers that draw from single words, as these take less time than a round.
constexpr std::uint32_t few = 12 * 32;

/// How many of these walkers draw a one.
__device__ __forceinline__ std::uint32_t ones_among(std::uint32_t walkers, Words& words) {
    if (walkers > few) return v23::ones_among(walkers, words.rounds);
    std::uint32_t ones = 0;
    for (int left = static_cast<int>(walkers); left > 0; left -= 32) {
        ones += __popc(v23::lowest_bits(words.single(), left));
    }
    return ones;
}

/// Of each thread the walkers of open nodes, and of kinds.
extern __shared__ std::uint32_t shared[];
constexpr unsigned words_of_thread = Forks::most_open + Forks::most_slots;

__device__ __forceinline__ std::uint32_t& open(unsigned node) {
    return shared[node % Forks::most_open * blockDim.x + threadIdx.x];
}
__device__ __forceinline__ std::uint32_t& of_kind(unsigned kind) {
    return shared[(Forks::most_open + kind) * blockDim.x + threadIdx.x];
}

/// Parts walkers by a tree, into kinds and then into slots.
class Parting {
 public:
    __device__ __forceinline__ explicit Parting(const Forks& forks) : forks_(forks) {}

    __device__ __forceinline__ void operator()(std::uint32_t walkers, Words& words) {
        constexpr std::uint32_t word = 32;
        for (unsigned kind = 0; kind < forks_.kinds; kind++) of_kind(kind) = 0;
        unsigned node = 0;
        end_ = 0;
        left_ = walkers;
        put(forks_.nodes > 0 ? Forks::node : 0, walkers, walkers);
        for (; left_ > word; node++) {
            const std::uint32_t all = open(node), ones = ones_among(all, words), zeros = all - ones;
            put(forks_.child[node].of_zero, zeros, zeros);
            put(forks_.child[node].of_one, ones, ones);
        }
        if (left_ > 0) give_bits(node);
        for (; left_ > 0; node++) {
            const std::uint32_t all = open(node), ones = all & words.single(), zeros = all ^ ones;
            put(forks_.child[node].of_zero, zeros, __popc(zeros));
            put(forks_.child[node].of_one, ones, __popc(ones));
        }
    }

    /// Calls use(slot, walkers) for each slot of the row.
    template <class Use>
    __device__ __forceinline__ void for_slots(Words& words, Use use) const {
        for (unsigned kind = 0; kind < forks_.kinds; kind++) {
            const unsigned slot = forks_.first[kind], log2_slots = forks_.log2_slots[kind];
            const std::uint32_t all = of_kind(kind);
            if (log2_slots == 0) {
                use(slot, all);
                continue;
            }
            const std::uint32_t ones = ones_among(all, words), zeros = all - ones;
            if (log2_slots == 1) {
                use(slot, zeros);
                use(slot + 1, ones);
                continue;
            }
            const std::uint32_t after_zero = ones_among(zeros, words), after_one = ones_among(ones, words);
            use(slot, zeros - after_zero);
            use(slot + 1, after_zero);
            use(slot + 2, ones - after_one);
            use(slot + 3, after_one);
        }
    }

 private:
    /// `who`: their number, or a mask.
    __device__ __forceinline__ void put(unsigned child, std::uint32_t who, std::uint32_t number) {
        if (child == Forks::node) {
            open(end_++) = who;
        } else {
            of_kind(child) += number;
            left_ -= number;
        }
    }

    /// Open nodes have a bit for each of their walkers, in place of their number.
    __device__ __forceinline__ void give_bits(unsigned node) {
        for (; node != end_; node++) {
            const std::uint32_t walkers = open(node);
            open(node) = walkers > 0 ? ~0u >> (32 - walkers) : 0;
        }
    }

    const Forks& forks_;
    unsigned end_;        // of the open nodes
    std::uint32_t left_;  // walkers in them
};

}  // namespace mcls::v24
