// v20's levels with v21's words in vector registers. This file is compiled once for each instruction set, as CLONE.
#include "kernels/pi/device/cpu_levels.hpp"

#include <numeric>
#include <utility>

#include "kernels/pi/device/cell_networks.cuh"
#include "kernels/pi/device/cpu_vector.hpp"
#include "kernels/pi/device/cut_cells.hpp"

namespace pi::bit_sliced::CLONE {
namespace {

constexpr unsigned round = Draws::round, turns = Draws::turns;

/// Words of the generators that share a vector register. A new word takes the place of the oldest.
using Ring = Vector[round];

/// Draw number n of a ring whose oldest word was at first word 0.
__forceinline__ Vector draw(Ring& ring, unsigned n) {
    const Vector before = ring[(n + round - 1) % round];
    Vector& oldest = ring[n % round];
    oldest.words = oldest.words * rng::mrg_multiplier + ring[(n + round - Draws::short_lag) % round].words;
    return n % turns == 0 ? dot_of_bytes<Draws::factors>(before, oldest) : Vector{oldest.words + (before.words >> 16)};
}

__forceinline__ void load_ring(Ring& ring, const State& state, unsigned first) {
    for (unsigned i = 0; i < round; i++) ring[i] = {load(&state.word[i][first])};
}

/// Stores the words after `drawn` draws, the oldest first.
__forceinline__ void store_ring(const Ring& ring, unsigned drawn, State& state, unsigned first) {
    for (unsigned i = 0; i < round; i++) store(&state.word[i][first], ring[(drawn + i) % round].words);
}

/// Draws the planes of a group, from draw number `first` of a trip, and uses them.
template <unsigned first, typename Use, unsigned... plane>
__forceinline__ void use_group(Ring& ring, Use& use, std::integer_sequence<unsigned, plane...>) {
    const Vector planes[] = {draw(ring, first + plane)...};
    use(planes, Vector{~Words{}});
}

template <unsigned planes, typename Use, unsigned... group>
__forceinline__ void use_round(Ring& ring, Use& use, std::integer_sequence<unsigned, group...>) {
    (use_group<group * planes>(ring, use, std::make_integer_sequence<unsigned, planes>{}), ...);
}

/// The fewest groups that come by the turns of a generator and bring every word to its register again.
constexpr unsigned groups_of_trip(unsigned planes) { return std::lcm(round, planes * turns) / planes; }

/// `trips` times the groups of a trip. All registers have fixed names here.
template <unsigned planes, typename Use>
__forceinline__ void use_trips(State& state, unsigned first, unsigned trips, Use& use) {
    constexpr auto groups = std::make_integer_sequence<unsigned, groups_of_trip(planes)>{};
    Ring ring;
    load_ring(ring, state, first);
    for (; trips > 0; trips--) use_round<planes>(ring, use, groups);
    store_ring(ring, 0, state, first);
}

/// The bits of generators `first` and following that belong to the first `samples` samples of a group, `lanes` to a word.
__forceinline__ Vector counted(unsigned first, unsigned lanes, unsigned samples) {
    unsigned bits[vector_words];
    for (unsigned i = 0; i < vector_words; i++) {
        const unsigned before = (first + i) * lanes;
        const unsigned left = samples > before ? samples - before : 0;
        bits[i] = left >= 32 ? ~0u : (1u << left) - 1;
    }
    return {load(bits)};
}

/// The groups of `samples` samples, fewer than in a trip. The last one may be a part of one, or count nothing: groups come by
/// the turns of a generator.
template <unsigned planes, typename Use>
__forceinline__ void use_rest(State& state, unsigned first, unsigned lanes, unsigned samples, Use& use) {
    Ring ring;
    load_ring(ring, state, first);
    unsigned drawn = 0;
    for (unsigned done = 0; done < samples || drawn % (planes * turns) > 0; done += generators * lanes) {
        Vector of_group[planes];
        for (Vector& plane : of_group) plane = draw(ring, drawn++);
        use(of_group, counted(first, lanes, done < samples ? samples - done : 0));
    }
    store_ring(ring, drawn, state, first);
}

/// Draws `samples` samples, `lanes` with each word and `planes` words for each: use(planes, counted) gets the words of one
/// group and the lanes that count.
template <unsigned planes, unsigned lanes, typename Use>
__forceinline__ void use_samples(State& state, unsigned samples, Use use) {
    constexpr unsigned trip = groups_of_trip(planes) * generators * lanes;
    for (unsigned first = 0; first < generators; first += vector_words) {
        use_trips<planes>(state, first, samples / trip, use);
        use_rest<planes>(state, first, lanes, samples % trip, use);
    }
}

/// Decides `samples` samples of `level`, adds those inside to `*hits` and returns how many the arc cuts.
template <unsigned level>
unsigned decide(State& state, unsigned samples, unsigned* hits) {
    Vector inside = {}, outside = {};
    use_samples<OctantNetwork<level>::planes, 32>(state, samples, [&](const auto& planes, Vector counted) INLINED {
        const Decided<Vector> decided = OctantNetwork<level>::decide(planes);
        inside = inside + popcounts(decided.inside & counted);
        outside = outside + popcounts(decided.outside & counted);
    });
    *hits += sum(inside);
    return samples - sum(inside) - sum(outside);
}

/// Hits among `samples` samples that the last level cut, as in kernels/pi/v15_bit_sliced.cuh.
unsigned test(State& state, unsigned samples) {
    constexpr const auto& cells = octant_last_cells_10;
    constexpr unsigned level = cells.last_level;
    Vector hits = {};
    use_samples<2, 1>(state, samples, [&](const auto& drawn, Vector counted) INLINED {
        const Words first = drawn[0].words, second = drawn[1].words;
        const Words slot = (first % (1u << level)) << 1 | (second & 1);
        const Words cell = gather(cells.x_and_y, slot);
        const Vector x = {cell << (32 - level) | first >> level}, y = {cell >> 16 << (32 - level) | second >> level};
        hits = hits + (folded_hits(x, y) & counted);
    });
    return sum(hits);
}

unsigned hits_among(State& state, unsigned samples) {
    unsigned hits = 0;
    unsigned left = decide<3>(state, samples, &hits);
    left = decide<4>(state, left, &hits);
    left = decide<5>(state, left, &hits);
    left = decide<6>(state, left, &hits);
    left = decide<7>(state, left, &hits);
    left = decide<8>(state, left, &hits);
    left = decide<9>(state, left, &hits);
    left = decide<10>(state, left, &hits);
    return hits + test(state, left);
}

}  // namespace

extern const HitsOfStream hits;
const HitsOfStream hits = hits_among;

}  // namespace pi::bit_sliced::CLONE
