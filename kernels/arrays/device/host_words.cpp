#include "kernels/arrays/device/host_words.hpp"

#include <exception>

#include "kernels/random/fill_mt19937.hpp"
#include "kernels/random/stream_seed.cuh"

namespace arrays {
namespace {

/// The two sequences of a chunk.
class Sequences {
 public:
    Sequences(const Origin& origin, unsigned chunk)
        : x_(pi::stream_seed(origin.seed, origin.launch, chunk, 0)),
          y_(pi::stream_seed(origin.seed, origin.launch, chunk, 1)) {}

    /// Their next words.
    void make(const Words& words, const Part& part) {
        pi::fill(words.x + part.first, part.samples, x_);
        pi::fill(words.y + part.first, part.samples, y_);
    }

 private:
    std::mt19937 x_, y_;
};

Part piece_of(const Part& chunk, unsigned piece) {
    constexpr unsigned halves = 2 * pieces_of_chunk - 2;
    const auto begin = [&](unsigned i) { return i == 0 ? 0 : chunk.samples / halves * (2 * i - 1); };
    const std::uint64_t end = piece + 1 < pieces_of_chunk ? begin(piece + 1) : chunk.samples;
    return {chunk.first + begin(piece), end - begin(piece)};
}

}  // namespace

void make_words(const Words& words, const Origin& origin) { Sequences(origin, 0).make(words, {0, words.samples}); }

Part chunk_of(std::uint64_t samples, unsigned c) {
    const std::uint64_t each = samples / chunks, first = c * each;
    return {first, c + 1 < chunks ? each : samples - first};
}

void make_chunks(const Words& words, const Origin& origin, const PieceMade& made) {
    std::exception_ptr error;
#pragma omp parallel for schedule(dynamic)
    for (unsigned c = 0; c < chunks; c++) {
        Sequences sequences(origin, c);
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

}  // namespace arrays
