#include "kernels/pi/device/bit_sliced_streams.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/random/draws.cuh"

namespace pi::bit_sliced {

DECLARE_CLONES(Levels, levels)

const std::vector<Clone>& clones() {
    static const std::vector<Clone> of_this_machine = CLONES(levels, x86_64_v4_with_counts);
    return of_this_machine;
}

namespace {

/// How many words a generator has, and which of them is odd.
struct Words {
    unsigned number, odd;
};

template <typename Draws>
constexpr Words words = {Draws::round, 0};

/// The upper halves come before the lower ones.
template <>
constexpr Words words<rng::FoldedMrgDraws> = {2 * rng::FoldedMrgDraws::round, 1};

template <typename Draws, const Grid& grid>
constexpr HitsOfStreams Levels::*levels_of = nullptr;

template <>
constexpr HitsOfStreams Levels::*levels_of<rng::FoldedMrgDraws, square> = &Levels::folded_square;
template <>
constexpr HitsOfStreams Levels::*levels_of<rng::FoldedMrgDraws, octant> = &Levels::folded_octant;
template <>
constexpr HitsOfStreams Levels::*levels_of<rng::DotMrgDraws, square> = &Levels::dot_square;
template <>
constexpr HitsOfStreams Levels::*levels_of<rng::DotMrgDraws, octant> = &Levels::dot_octant;
template <>
constexpr HitsOfStreams Levels::*levels_of<rng::DotMrgDraws, deep_octant> = &Levels::dot_deep_octant;
template <>
constexpr HitsOfStreams Levels::*levels_of<rng::AlternatingMrgDraws, deep_octant> = &Levels::alternating_deep_octant;

}  // namespace

template <typename Draws>
void seed(State& state, const bench::StreamId& first) {
    static_assert(words<Draws>.number <= State::most_words);
    for (unsigned g = 0; g < generators; g++) {
        const rng::HashedState hashed = {{first.seed, first.launch, first.threads, first.thread + g}};
        for (unsigned i = 0; i < words<Draws>.number; i++) state.word[i][g] = hashed(i);
        state.word[words<Draws>.odd][g] |= 1;
    }
}

/// Threads that make up a whole number of registers are replayed with the last ones, and not counted.
template <typename Draws, const Grid& grid>
std::uint64_t replay_streams_by(const Clone& clone, const bench::StreamId& first, unsigned streams, unsigned iters) {
    const HitsOfStreams hits_of = clone.made.*levels_of<Draws, grid>;
    std::uint64_t hits = 0;
    bench::StreamId next = first;
    for (unsigned left = streams; left > 0; left -= std::min(left, generators), next.thread += generators) {
        State state;
        seed<Draws>(state, next);
        const OfEach of_each = hits_of(state, iters);
        hits = std::accumulate(of_each.of, of_each.of + std::min(left, generators), hits);
    }
    return hits;
}

template void seed<rng::AlternatingMrgDraws>(State&, const bench::StreamId&);

template std::uint64_t replay_streams_by<rng::FoldedMrgDraws, square>(const Clone&, const bench::StreamId&, unsigned,
                                                                      unsigned);
template std::uint64_t replay_streams_by<rng::FoldedMrgDraws, octant>(const Clone&, const bench::StreamId&, unsigned,
                                                                      unsigned);
template std::uint64_t replay_streams_by<rng::DotMrgDraws, square>(const Clone&, const bench::StreamId&, unsigned,
                                                                   unsigned);
template std::uint64_t replay_streams_by<rng::DotMrgDraws, octant>(const Clone&, const bench::StreamId&, unsigned,
                                                                   unsigned);
template std::uint64_t replay_streams_by<rng::DotMrgDraws, deep_octant>(const Clone&, const bench::StreamId&, unsigned,
                                                                        unsigned);
template std::uint64_t replay_streams_by<rng::AlternatingMrgDraws, deep_octant>(const Clone&, const bench::StreamId&,
                                                                                unsigned, unsigned);

}  // namespace pi::bit_sliced
