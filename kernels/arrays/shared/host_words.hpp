// Words made on the host: those of std::mt19937, one sequence for X and one for Y.
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/arrays/shared/arrays.hpp"

namespace arrays {

/// What determines the words of a launch, besides their number.
struct Origin {
    std::uint64_t seed;    // of the run
    std::uint64_t launch;  // k
};

/// Fills X, then Y, on one core: a0 to a6. Seeds are stream_seed(seed, k, 0, 0) for X and stream_seed(seed, k, 0, 1) for Y.
void make_words(const Words& words, const Origin& origin);

// a7 and a8 make words in chunks, so that all cores can work and the words do not depend on how many there are. Chunk c
// has two sequences of its own, with seeds stream_seed(seed, k, c, 0) and stream_seed(seed, k, c, 1).
inline constexpr unsigned chunks = 64;

/// A core makes a chunk in pieces, which a8 hands on before the whole chunk is done. The first and the last one are half as
/// long as the others: the bus waits for the first ones of all cores, and the end for the copies of the last ones.
inline constexpr unsigned pieces_of_chunk = 5;
inline constexpr unsigned pieces = chunks * pieces_of_chunk;

/// Part of the samples of a launch.
struct Part {
    std::uint64_t first;
    std::uint64_t samples;  // 0 if there are fewer samples than parts
};

/// Chunk c of `samples` samples: a 64th of them. The last one also takes what is left over.
Part chunk_of(std::uint64_t samples, unsigned c);

/// The hits of a launch of so many samples whose words are these, for bench::Source.
std::uint64_t hits_of_words(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples);
std::uint64_t hits_of_chunks(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples);

/// Called once for each piece whose words were made, from any thread, but never twice at the same time.
using PieceMade = std::function<void(unsigned piece, const Part&)>;

/// Fills X and Y chunk by chunk on all cores that this process may use. What `made` throws is thrown when all are done.
void make_chunks(
    const Words& words, const Origin& origin, const PieceMade& made = [](unsigned, const Part&) {});

/// The same by rng::Mt19937, whose loops the compiler vectorises.
void make_chunks_in_vectors(const Words& words, const Origin& origin, const PieceMade& made);

}  // namespace arrays
