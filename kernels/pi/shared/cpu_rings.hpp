// The words of generators in vector registers, a generator in each lane.
#pragma once

#include <type_traits>

#include "kernels/pi/shared/cpu_bit_planes.hpp"
#include "kernels/pi/shared/cpu_streams.hpp"
#include "kernels/random/draws.cuh"

namespace pi::bit_sliced::CLONE {

/// The lagged words of `Draws` modulo 2^32. A new word takes the place of the oldest.
template <typename Draws>
class Ring {
 public:
    static constexpr unsigned round = Draws::round;
    static constexpr unsigned words = round;  // of the state of a generator

    /// Word number `i` of the state before the first draw, and after `drawn` draws.
    __forceinline__ void set(unsigned i, Words word) { ring_[i] = {word}; }
    __forceinline__ Words word(unsigned i, unsigned drawn) const { return ring_[(drawn + i) % round].words; }

    /// Draw number `n`.
    __forceinline__ Vector draw(unsigned n) {
        const Vector newest = ring_[(n + round - 1) % round];
        Vector& oldest = ring_[n % round];
        oldest.words = oldest.words * rng::mrg_multiplier + ring_[(n + round - Draws::short_lag) % round].words;
        if constexpr (std::is_same_v<Draws, rng::MrgDraws>) {
            return oldest;
        } else if constexpr (std::is_same_v<Draws, rng::ShiftedMrgDraws>) {
            return {oldest.words + (newest.words >> (n % Draws::turns == 0 ? Draws::even_shift : Draws::odd_shift))};
        } else {
            static_assert(Draws::mixed == round - 1);
            const bool is_dotted = Draws::turns == 1 || n % Draws::turns != Draws::turns - 1;
            return is_dotted ? dot_of_bytes<Draws::factors>(newest, oldest)
                             : Vector{oldest.words + (newest.words >> 16)};
        }
    }

 private:
    Vector ring_[round];
};

/// Words of 64 bits, those of lanes with even numbers apart from the others.
struct Wide {
    static constexpr unsigned long long lower = 0xffffffff;

    __forceinline__ Words upper_halves() const { return (Words)(even >> 32 | (odd & ~lower)); }
    __forceinline__ Words lower_halves() const { return (Words)((even & lower) | odd << 32); }
    __forceinline__ void set_upper_halves(Words words) {
        even = (even & lower) | (Pairs)words << 32;
        odd = (odd & lower) | ((Pairs)words & ~lower);
    }
    __forceinline__ void set_lower_halves(Words words) {
        even = (even & ~lower) | ((Pairs)words & lower);
        odd = (odd & ~lower) | (Pairs)words >> 32;
    }

    Pairs even = {}, odd = {};
};

/// The products of all words with one.
__forceinline__ Wide wide_products(Words words, unsigned word) {
    return {products((Pairs)words, word), products((Pairs)words >> 32, word)};
}

/// The upper and lower halves of the words come in turns.
template <>
class Ring<rng::FoldedMrgDraws> {
 public:
    static constexpr unsigned round = rng::FoldedMrgDraws::round;
    static constexpr unsigned words = 2 * round;

    __forceinline__ void set(unsigned i, Words word) {
        Wide& of = ring_[i / 2];
        i % 2 == 0 ? of.set_upper_halves(word) : of.set_lower_halves(word);
    }
    __forceinline__ Words word(unsigned i, unsigned drawn) const {
        const Wide& of = ring_[(drawn + i / 2) % round];
        return i % 2 == 0 ? of.upper_halves() : of.lower_halves();
    }

    __forceinline__ Vector draw(unsigned n) {
        Wide& oldest = ring_[n % round];
        const Wide& late = ring_[(n + round - rng::FoldedMrgDraws::short_lag) % round];
        oldest.even = products(oldest.even, rng::mrg_multiplier) + late.even;
        oldest.odd = products(oldest.odd, rng::mrg_multiplier) + late.odd;
        return {oldest.upper_halves() + oldest.lower_halves()};
    }

 private:
    Wide ring_[round];
};

/// The words of generators `first` and following.
template <typename Ring>
__forceinline__ Ring load_ring(const State& state, unsigned first) {
    Ring ring;
    for (unsigned i = 0; i < ring.words; i++) ring.set(i, load(&state.word[i][first]));
    return ring;
}

/// Stores what `drawn` draws left, in the lanes that are all ones in `lanes`.
template <typename Ring>
__forceinline__ void store_ring(const Ring& ring, unsigned drawn, State& state, unsigned first, Words lanes) {
    for (unsigned i = 0; i < ring.words; i++) {
        unsigned* const to = &state.word[i][first];
        store(to, (ring.word(i, drawn) & lanes) | (load(to) & ~lanes));
    }
}

}  // namespace pi::bit_sliced::CLONE
