#include "kernels/pi/shared/cpu_streams.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/random/draws.cuh"

namespace pi {

namespace {

/// Words 0, 1 and so on of each state: words_of(stream) gives them.
template <typename WordsOf>
void set_words(State& state, const bench::StreamId& first, WordsOf words_of) {
    bench::StreamId id = first;
    for (unsigned g = 0; g < generators; g++, id.thread++) {
        unsigned i = 0;
        for (const unsigned word : words_of(id)) state.word[i++][g] = word;
    }
}

/// Hashed words, `parts` each. The lowest part of the oldest word is odd.
void seed_lagged(State& state, const bench::StreamId& first, unsigned words, unsigned parts = 1) {
    for (unsigned g = 0; g < generators; g++) {
        const rng::HashedState hashed = {{first.seed, first.launch, first.threads, first.thread + g}};
        for (unsigned i = 0; i < words * parts; i++) state.word[i][g] = hashed(i);
        state.word[parts - 1][g] |= 1;
    }
}

std::array<unsigned, 2> halves(std::uint64_t word) {
    return {static_cast<unsigned>(word), static_cast<unsigned>(word >> 32)};
}

/// The key, and the stream.
std::array<unsigned, 4> philox_words(const bench::StreamId& id) {
    const auto [key_0, key_1] = halves(id.seed);
    const auto [stream_0, stream_1] = halves(rng::subsequence_of(id));
    return {key_0, key_1, stream_0, stream_1};
}

std::array<unsigned, 4> four_words(const bench::StreamId& id) {
    return {rng::state_of(id, 0), rng::state_of(id, 1), rng::state_of(id, 2), rng::state_of(id, 3)};
}

}  // namespace

/// The counter comes last.
template <>
void seed<rng::XorwowDraws>(State& state, const bench::StreamId& first) {
    set_words(state, first, [](const bench::StreamId& id) {
        curandState_t rng;
        curand_init(id.seed, rng::subsequence_of(id), 0, &rng);
        return std::array{rng.v[0], rng.v[1], rng.v[2], rng.v[3], rng.v[4], rng.d};
    });
}

template <>
void seed<rng::PhiloxDraws>(State& state, const bench::StreamId& first) {
    set_words(state, first, philox_words);
}

template <>
void seed<rng::Philox7Draws>(State& state, const bench::StreamId& first) {
    set_words(state, first, philox_words);
}

template <>
void seed<rng::Xorshift32Draws>(State& state, const bench::StreamId& first) {
    set_words(state, first,
              [](const bench::StreamId& id) { return std::array{rng::xorshift32_state(rng::state_of(id, 0))}; });
}

template <>
void seed<rng::LcgDraws>(State& state, const bench::StreamId& first) {
    set_words(state, first, [](const bench::StreamId& id) { return std::array{rng::state_of(id, 0)}; });
}

template <>
void seed<rng::FourLcgDraws<rng::lcg, rng::lcg_glibc>>(State& state, const bench::StreamId& first) {
    set_words(state, first, four_words);
}

template <>
void seed<rng::FourLcgDraws<rng::lcg, rng::lcg>>(State& state, const bench::StreamId& first) {
    set_words(state, first, four_words);
}

template <>
void seed<rng::MrgDraws>(State& state, const bench::StreamId& first) {
    seed_lagged(state, first, rng::MrgDraws::round);
}

template <>
void seed<rng::XorMrgDraws>(State& state, const bench::StreamId& first) {
    seed_lagged(state, first, rng::XorMrgDraws::round);
}

template <>
void seed<rng::DotMrgDraws>(State& state, const bench::StreamId& first) {
    seed_lagged(state, first, rng::DotMrgDraws::round);
}

template <>
void seed<rng::AlternatingMrgDraws>(State& state, const bench::StreamId& first) {
    seed_lagged(state, first, rng::AlternatingMrgDraws::round);
}

template <>
void seed<rng::ShiftedMrgDraws>(State& state, const bench::StreamId& first) {
    seed_lagged(state, first, rng::ShiftedMrgDraws::round);
}

template <>
void seed<rng::ThreeDotsMrgDraws>(State& state, const bench::StreamId& first) {
    seed_lagged(state, first, rng::ThreeDotsMrgDraws::round);
}

/// The upper half of a word comes before the lower one.
template <>
void seed<rng::FoldedMrgDraws>(State& state, const bench::StreamId& first) {
    seed_lagged(state, first, rng::FoldedMrgDraws::round, 2);
}

/// Streams that make up a whole number of registers are replayed with the last ones, and not counted.
std::uint64_t hits_of_streams(Seed seed, HitsOfStreams hits_of, const bench::StreamId& first, unsigned streams,
                              unsigned iters) {
    std::uint64_t hits = 0;
    bench::StreamId next = first;
    for (unsigned left = streams; left > 0; left -= std::min(left, generators), next.thread += generators) {
        State state;
        seed(state, next);
        const OfEach of_each = hits_of(state, iters);
        hits = std::accumulate(of_each.of, of_each.of + std::min(left, generators), hits);
    }
    return hits;
}

}  // namespace pi
