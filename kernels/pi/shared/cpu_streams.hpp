// Streams side by side in vector registers.
#pragma once

#include "bench/step.hpp"

namespace pi {

/// Generators in the lanes of vector registers.
inline constexpr unsigned generators = 16;

/// The words of the generators; of lagged ones the oldest first.
struct alignas(64) State {
    static constexpr unsigned most_words = 31;  // of v14
    unsigned word[most_words][generators];
};

/// A number for each generator.
struct alignas(64) OfEach {
    unsigned of[generators];
};

/// Hits among the next `samples` samples of 16 streams, each of one generator.
using HitsOfStreams = OfEach (*)(State& state, unsigned samples);

/// The first words of successive streams, the first one `first`.
using Seed = void (*)(State& state, const bench::StreamId& first);

/// Those of threads that draw `Draws`.
template <typename Draws>
void seed(State& state, const bench::StreamId& first);

/// Hits of the first `iters` samples of `streams` successive streams. `hits_of` is code of an instruction set that this machine
/// has.
std::uint64_t hits_of_streams(Seed seed, HitsOfStreams hits_of, const bench::StreamId& first, unsigned streams,
                              unsigned iters);

}  // namespace pi
