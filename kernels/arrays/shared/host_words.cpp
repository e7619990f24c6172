#include "kernels/arrays/shared/host_words.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <random>

#include "kernels/arrays/shared/hit.cuh"
#include "kernels/arrays/shared/host_flags.hpp"
#include "kernels/cpu/clones.hpp"
#include "kernels/random/mt19937.hpp"
#include "kernels/random/stream_seed.cuh"

namespace arrays {
namespace {

/// Writes the next `n` words. The engine's own loop is compiled into each clone: for plain x86-64 it has a branch for each
/// word that goes either way by chance, and is several times slower.
FUNCTION_CLONES __attribute__((flatten)) void fill(std::uint32_t* words, std::uint64_t n, std::mt19937& sequence) {
    std::generate_n(words, n, std::ref(sequence));
}

FUNCTION_CLONES void fill(std::uint32_t* words, std::uint64_t n, rng::Mt19937Sequence& sequence) {
    sequence.fill(words, n);
}

FUNCTION_CLONES __attribute__((flatten)) std::uint64_t count_hits(std::mt19937& x, std::mt19937& y,
                                                                  std::uint64_t samples) {
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < samples; i++) {
        const auto of_x = static_cast<std::uint32_t>(x()), of_y = static_cast<std::uint32_t>(y());
        hits += is_hit(of_x, of_y) ? 1 : 0;
    }
    return hits;
}

/// The two sequences of a chunk.
template <typename Sequence>
class Sequences {
 public:
    Sequences(const Origin& origin, unsigned chunk)
        : x_(rng::stream_seed(origin.seed, origin.launch, chunk, 0)),
          y_(rng::stream_seed(origin.seed, origin.launch, chunk, 1)) {}

    /// Their next words.
    void make(const Words& words, const Part& part) {
        fill(words.x + part.first, part.samples, x_);
        fill(words.y + part.first, part.samples, y_);
    }

    /// The hits of their next samples.
    std::uint64_t hits(std::uint64_t samples) { return count_hits(x_, y_, samples); }

 private:
    Sequence x_, y_;
};
using StandardSequences = Sequences<std::mt19937>;

Part piece_of(const Part& chunk, unsigned piece) {
    constexpr unsigned halves = 2 * pieces_of_chunk - 2;
    const auto begin = [&](unsigned i) { return i == 0 ? 0 : chunk.samples / halves * (2 * i - 1); };
    const std::uint64_t end = piece + 1 < pieces_of_chunk ? begin(piece + 1) : chunk.samples;
    return {chunk.first + begin(piece), end - begin(piece)};
}

/// The chunks, by sequences of one kind.
template <typename Sequence>
void make_chunks_by(const Words& words, const Origin& origin, const PieceMade& made) {
    std::exception_ptr error;
#pragma omp parallel for schedule(dynamic) num_threads(usable_cores())
    for (unsigned c = 0; c < chunks; c++) {
        Sequences<Sequence> sequences(origin, c);
        const Part chunk = chunk_of(words.samples, c);
        for (unsigned i = 0; i < pieces_of_chunk; i++) {
            const Part piece = piece_of(chunk, i);
            sequences.make(words, piece);
#pragma omp critical(arrays_piece_made)
            try {
                if (!error) made(c * pieces_of_chunk + i, piece);
            } catch (...) {
                error = std::current_exception();
            }
        }
    }
    if (error) std::rethrow_exception(error);
}

}  // namespace

void make_words(const Words& words, const Origin& origin) {
    StandardSequences(origin, 0).make(words, {0, words.samples});
}

Part chunk_of(std::uint64_t samples, unsigned c) {
    const std::uint64_t each = samples / chunks, first = c * each;
    return {first, c + 1 < chunks ? each : samples - first};
}

void make_chunks(const Words& words, const Origin& origin, const PieceMade& made) {
    make_chunks_by<std::mt19937>(words, origin, made);
}

void make_chunks_in_vectors(const Words& words, const Origin& origin, const PieceMade& made) {
    make_chunks_by<rng::Mt19937Sequence>(words, origin, made);
}

std::uint64_t hits_of_words(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples) {
    return StandardSequences({seed, launch}, 0).hits(samples);
}

std::uint64_t hits_of_chunks(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples) {
    std::uint64_t hits = 0;
#pragma omp parallel for schedule(dynamic) num_threads(usable_cores()) reduction(+ : hits)
    for (unsigned c = 0; c < chunks; c++) {
        hits += StandardSequences({seed, launch}, c).hits(chunk_of(samples, c).samples);
    }
    return hits;
}

}  // namespace arrays
