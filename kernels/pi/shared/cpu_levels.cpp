// The levels of v15 and v18 to v23 in vector registers. This file is compiled once for each instruction set, as CLONE.
#include "kernels/pi/shared/cpu_levels.hpp"

#include <numeric>
#include <utility>

#include "kernels/pi/shared/cell_networks.cuh"
#include "kernels/pi/shared/cpu_bit_planes.hpp"
#include "kernels/pi/shared/cpu_rings.hpp"
#include "kernels/pi/shared/cut_cells.hpp"
#include "kernels/pi/shared/first_bits.cuh"

namespace pi::bit_sliced::CLONE {
namespace {

unsigned sum(const OfEach& numbers) {
    unsigned total = 0;
    for (const unsigned one : numbers.of) total += one;
    return total;
}

/// The extremes of the numbers for the lanes of a register.
unsigned least_of(const unsigned* numbers) {
    unsigned least = numbers[0];
    for (unsigned i = 1; i < vector_words; i++) least = numbers[i] < least ? numbers[i] : least;
    return least;
}
unsigned most_of(const unsigned* numbers) {
    unsigned most = numbers[0];
    for (unsigned i = 1; i < vector_words; i++) most = numbers[i] > most ? numbers[i] : most;
    return most;
}

/// What the generators do at a level. A group takes up to `lanes` samples of each.
struct Share {
    OfEach samples;  // that count
    OfEach groups;   // that are drawn
};

/// The groups for `samples` samples. They come by the turns of a generator, so the last ones may count nothing.
constexpr unsigned groups_for(unsigned samples, unsigned lanes, unsigned turns) {
    const unsigned groups = samples / lanes + (samples % lanes > 0);
    return (groups + turns - 1) / turns * turns;
}

/// Every generator draws for what it left itself.
struct Own {
    static Share share(const OfEach& left, unsigned lanes, unsigned turns) {
        Share share;
        for (unsigned g = 0; g < generators; g++) {
            share.samples.of[g] = left.of[g];
            share.groups.of[g] = groups_for(left.of[g], lanes, turns);
        }
        return share;
    }
};

/// All generators draw together for what they left. In each group the first ones come first.
struct Shared {
    static Share share(const OfEach& left, unsigned lanes, unsigned turns) {
        const unsigned samples = sum(left), of_group = generators * lanes;
        Share share;
        for (unsigned g = 0; g < generators; g++) {
            const unsigned before = g * lanes, rest = samples % of_group;
            const unsigned of_rest = rest <= before ? 0 : rest - before < lanes ? rest - before : lanes;
            share.samples.of[g] = samples / of_group * lanes + of_rest;
            share.groups.of[g] = groups_for(samples, of_group, turns);
        }
        return share;
    }
};

/// Draws the planes of a group, from draw number `first` of a trip, and uses them.
template <unsigned first, typename Draws, typename Use, unsigned... plane>
__forceinline__ void use_group(Ring<Draws>& ring, Use& use, std::integer_sequence<unsigned, plane...>) {
    const Vector planes[] = {ring.draw(first + plane)...};
    use(planes, Vector{~Words{}});
}

template <unsigned planes, typename Draws, typename Use, unsigned... group>
__forceinline__ void use_round(Ring<Draws>& ring, Use& use, std::integer_sequence<unsigned, group...>) {
    (use_group<group * planes>(ring, use, std::make_integer_sequence<unsigned, planes>{}), ...);
}

/// The fewest groups that come by the turns of a generator and bring every word to its register again.
template <typename Draws>
constexpr unsigned groups_of_trip(unsigned planes) {
    return std::lcm(Draws::round, planes * Draws::turns) / planes;
}

/// `trips` times the groups of a trip. All registers have fixed names here.
template <unsigned planes, typename Draws, typename Use>
__forceinline__ void use_trips(State& state, unsigned first, unsigned trips, Use& use) {
    constexpr auto groups = std::make_integer_sequence<unsigned, groups_of_trip<Draws>(planes)>{};
    Ring<Draws> ring = load_ring<Ring<Draws>>(state, first);
    for (; trips > 0; trips--) {
        use_round<planes>(ring, use, groups);
        use.end_trip();
    }
    store_ring(ring, 0, state, first, ~Words{});
}

/// The groups of each lane but the first `done` ones, which are trips. A lane that has drawn its groups keeps its state.
template <unsigned planes, unsigned lanes, typename Draws, typename Use>
__forceinline__ void use_rest(State& state, unsigned first, unsigned done, const Share& share, Use& use) {
    const Words samples = load(&share.samples.of[first]), groups = load(&share.groups.of[first]);
    const unsigned most = most_of(&share.groups.of[first]);
    Ring<Draws> ring = load_ring<Ring<Draws>>(state, first);
    unsigned drawn = 0;
    for (unsigned group = done; group < most; group++) {
        Vector of_group[planes];
        for (Vector& plane : of_group) plane = ring.draw(drawn++);
        const Words before = all_of(group * lanes);
        use(of_group, first_bits((samples - before) & (Words)(samples > before)));
        use.end_trip();
        const Words finished = (Words)(groups == group + 1);
        if (any(finished)) store_ring(ring, drawn, state, first, finished);
    }
}

/// Draws the samples of generators `first` and following, up to `lanes` with a word of each and `planes` words for each:
/// use(planes, counted) gets the words of one group and the lanes that count.
template <unsigned planes, unsigned lanes, typename Draws, typename Use>
__forceinline__ void use_samples(State& state, unsigned first, const Share& share, Use& use) {
    constexpr unsigned groups = groups_of_trip<Draws>(planes);
    const unsigned trips = least_of(&share.samples.of[first]) / lanes / groups;
    use_trips<planes, Draws>(state, first, trips, use);
    use_rest<planes, lanes, Draws>(state, first, trips * groups, share, use);
}

/// What becomes of samples that reach the level of a network.
template <typename Network>
class Decisions {
 public:
    template <typename Planes>
    __forceinline__ void operator()(const Planes& planes, Vector counted) {
        const Decided<Vector> decided = Network::decide(planes);
        inside_.add(decided.inside & counted);
        outside_.add(decided.outside & counted);
    }
    __forceinline__ void end_trip() {
        inside_.settle();
        outside_.settle();
    }
    Words inside() const { return inside_.total(); }
    Words decided() const { return inside_.total() + outside_.total(); }

 private:
    BitCounts inside_, outside_;
};

/// Decides the samples of `share` and adds those inside to `hits`. Returns how many the arc cuts.
template <typename Draws, typename Network>
__attribute__((noinline)) OfEach decide(State& state, const Share& share, OfEach& hits) {
    static_assert(groups_of_trip<Draws>(Network::planes) <= BitCounts::most);
    OfEach cut;
    for (unsigned first = 0; first < generators; first += vector_words) {
        Decisions<Network> decisions;
        use_samples<Network::planes, 32, Draws>(state, first, share, decisions);
        store(&hits.of[first], load(&hits.of[first]) + decisions.inside());
        store(&cut.of[first], load(&share.samples.of[first]) - decisions.decided());
    }
    return cut;
}

/// The last cells as words with x and y in their halves.
template <unsigned level>
struct Cells {
    unsigned x_and_y[LastCells<level>::slots];
};

template <unsigned level>
constexpr Cells<level> halved(const LastCells<level>& cells) {
    constexpr unsigned bits = 4 * sizeof cells.x_and_y[0];
    Cells<level> found = {};
    for (unsigned slot = 0; slot < cells.slots; slot++) {
        const unsigned both = cells.x_and_y[slot];
        found.x_and_y[slot] = both >> bits << 16 | (both & ((1u << bits) - 1));
    }
    return found;
}

/// The networks and the last cells of a grid.
template <const Grid& grid>
struct Logic;

template <>
struct Logic<square> {
    static constexpr unsigned last_level = 8;
    template <unsigned level>
    using Networks = Network<level>;
    static constexpr Cells<last_level> cells = halved(last_cells);
};

template <>
struct Logic<octant> {
    static constexpr unsigned last_level = 8;
    template <unsigned level>
    using Networks = OctantNetwork<level>;
    static constexpr Cells<last_level> cells = halved(octant_last_cells);
};

template <>
struct Logic<deep_octant> {
    static constexpr unsigned last_level = 10;
    template <unsigned level>
    using Networks = OctantNetwork<level>;
    static constexpr Cells<last_level> cells = halved(octant_last_cells_10);
};

/// Hits among samples that the last level cut, as in kernels/pi/v15_bit_sliced.cuh.
template <unsigned level>
class LastTest {
 public:
    explicit LastTest(const Cells<level>& cells) : cells_(cells) {}
    __forceinline__ void operator()(const Vector (&drawn)[2], Vector counted) {
        const Words first = drawn[0].words, second = drawn[1].words;
        const Words slot = (first % (1u << level)) << 1 | (second & 1);
        const Words cell = gather(cells_.x_and_y, slot);
        const Vector x = {cell << (32 - level) | first >> level}, y = {cell >> 16 << (32 - level) | second >> level};
        hits_ = hits_ + (folded_hits(x, y) & counted);
    }
    __forceinline__ void end_trip() {}
    Words hits() const { return hits_.words; }

 private:
    const Cells<level>& cells_;
    Vector hits_ = {};
};

template <typename Draws, typename Logic>
__attribute__((noinline)) void test(State& state, const Share& share, OfEach& hits) {
    for (unsigned first = 0; first < generators; first += vector_words) {
        LastTest<Logic::last_level> test(Logic::cells);
        use_samples<2, 1, Draws>(state, first, share, test);
        store(&hits.of[first], load(&hits.of[first]) + test.hits());
    }
}

/// Adds the hits among samples that are `left` for a level.
template <typename Draws, typename Logic, typename Sharing, unsigned level = first_level>
void add_hits(State& state, const OfEach& left, OfEach& hits) {
    using Network = typename Logic::template Networks<level>;
    const OfEach cut = decide<Draws, Network>(state, Sharing::share(left, 32, Draws::turns), hits);
    if constexpr (level < Logic::last_level) {
        add_hits<Draws, Logic, Sharing, level + 1>(state, cut, hits);
    } else {
        test<Draws, Logic>(state, Sharing::share(cut, 1, Draws::turns), hits);
    }
}

template <typename Draws, const Grid& grid>
OfEach hits_of_streams(State& state, unsigned samples) {
    OfEach all, hits = {};
    for (unsigned& one : all.of) one = samples;
    add_hits<Draws, Logic<grid>, Own>(state, all, hits);
    return hits;
}

/// A plane alone.
struct OnePlane {
    static constexpr unsigned planes = 1;
    static __forceinline__ Decided<Vector> decide(const Vector (&v)[planes]) { return {v[0], Vector{}}; }
};

OfEach difference(const OfEach& a, const OfEach& b) {
    OfEach found;
    for (unsigned g = 0; g < generators; g++) found.of[g] = a.of[g] - b.of[g];
    return found;
}

/// v24: how many of `samples` samples have a 1 in the next plane, and its levels.
OfEach ones_among(State& state, const OfEach& samples) {
    using Draws = rng::AlternatingMrgDraws;
    OfEach ones = {};
    decide<Draws, OnePlane>(state, Own::share(samples, 32, Draws::turns), ones);
    return ones;
}

OfEach hits_by_first_bits(State& state, unsigned samples) {
    using Draws = rng::AlternatingMrgDraws;
    OfEach all;
    for (unsigned& one : all.of) one = samples;
    const OfEach undecided = ones_among(state, all), far = ones_among(state, undecided);
    const OfEach outside = ones_among(state, far), near = difference(undecided, far);
    OfEach hits = difference(all, undecided);
    OfEach cut = decide<Draws, NearPieces>(state, Own::share(near, 32, Draws::turns), hits);
    for (unsigned g = 0; g < generators; g++) cut.of[g] += far.of[g] - outside.of[g];
    add_hits<Draws, Logic<deep_octant>, Own, first_level + 1>(state, cut, hits);
    return hits;
}

unsigned hits_of_stream(State& state, unsigned samples) {
    OfEach hits = {};
    add_hits<rng::AlternatingMrgDraws, Logic<deep_octant>, Shared>(state, {{samples}}, hits);
    return sum(hits);
}

}  // namespace

extern const Levels levels;
const Levels levels = {
    .shared = hits_of_stream,
    .folded_square = hits_of_streams<rng::FoldedMrgDraws, square>,
    .folded_octant = hits_of_streams<rng::FoldedMrgDraws, octant>,
    .dot_square = hits_of_streams<rng::DotMrgDraws, square>,
    .dot_octant = hits_of_streams<rng::DotMrgDraws, octant>,
    .dot_deep_octant = hits_of_streams<rng::DotMrgDraws, deep_octant>,
    .alternating_deep_octant = hits_of_streams<rng::AlternatingMrgDraws, deep_octant>,
    .first_bits = hits_by_first_bits,
};

}  // namespace pi::bit_sliced::CLONE
