// The words of generators in vector registers, a generator in each lane.
#pragma once

#include "kernels/pi/device/cpu_levels.hpp"
#include "kernels/pi/device/cpu_vector.hpp"
#include "kernels/random/draws.cuh"

namespace pi::bit_sliced::CLONE {

/// The lagged words of `Draws` modulo 2^32. A new word takes the place of the oldest.
template <typename Draws>
class Ring {
 public:
    static constexpr unsigned words = Draws::round;  // of the state of a generator

    /// Word number `i` of the state before the first draw, and after `drawn` draws.
    __forceinline__ void set(unsigned i, Words word) { ring_[i] = {word}; }
    __forceinline__ Words word(unsigned i, unsigned drawn) const { return ring_[(drawn + i) % round].words; }

    /// Draw number `n`.
    __forceinline__ Vector draw(unsigned n) {
        const Vector mixed = ring_[(n + Draws::mixed) % round];
        Vector& oldest = ring_[n % round];
        oldest.words = oldest.words * rng::mrg_multiplier + ring_[(n + round - Draws::short_lag) % round].words;
        return n % Draws::turns == 0 ? dot_of_bytes<Draws::factors>(mixed, oldest)
                                     : Vector{oldest.words + (mixed.words >> 16)};
    }

 private:
    static constexpr unsigned round = Draws::round;
    Vector ring_[round];
};

/// FoldedMrg: words of 64 bits, those of lanes with even numbers apart from the others.
template <>
class Ring<rng::FoldedMrgDraws> {
 public:
    static constexpr unsigned words = 2 * rng::FoldedMrgDraws::round;  // upper and lower halves in turns

    __forceinline__ void set(unsigned i, Words word) {
        const Pairs halves = (Pairs)word;
        Pairs &even = ring_[i / 2].even, &odd = ring_[i / 2].odd;
        if (i % 2 == 0) {
            even = halves << 32;
            odd = halves & ~lower;
        } else {
            even |= halves & lower;
            odd |= halves >> 32;
        }
    }
    __forceinline__ Words word(unsigned i, unsigned drawn) const {
        const Word& word = ring_[(drawn + i / 2) % round];
        return i % 2 == 0 ? upper_halves(word) : lower_halves(word);
    }

    __forceinline__ Vector draw(unsigned n) {
        Word& oldest = ring_[n % round];
        const Word& late = ring_[(n + round - rng::FoldedMrgDraws::short_lag) % round];
        oldest.even = products(oldest.even, rng::mrg_multiplier) + late.even;
        oldest.odd = products(oldest.odd, rng::mrg_multiplier) + late.odd;
        return {upper_halves(oldest) + lower_halves(oldest)};
    }

 private:
    static constexpr unsigned round = rng::FoldedMrgDraws::round;
    static constexpr unsigned long long lower = 0xffffffff;
    struct Word {
        Pairs even, odd;
    };
    static __forceinline__ Words upper_halves(const Word& word) {
        return (Words)(word.even >> 32 | (word.odd & ~lower));
    }
    static __forceinline__ Words lower_halves(const Word& word) {
        return (Words)((word.even & lower) | word.odd << 32);
    }
    Word ring_[round];
};

/// The ring of generators `first` and following.
template <typename Draws>
__forceinline__ Ring<Draws> load_ring(const State& state, unsigned first) {
    Ring<Draws> ring;
    for (unsigned i = 0; i < ring.words; i++) ring.set(i, load(&state.word[i][first]));
    return ring;
}

/// Stores what `drawn` draws left, in the lanes that are all ones in `lanes`.
template <typename Draws>
__forceinline__ void store_ring(const Ring<Draws>& ring, unsigned drawn, State& state, unsigned first, Words lanes) {
    for (unsigned i = 0; i < ring.words; i++) {
        unsigned* const to = &state.word[i][first];
        store(to, (ring.word(i, drawn) & lanes) | (load(to) & ~lanes));
    }
}

}  // namespace pi::bit_sliced::CLONE
