// v16's histories in vector registers. This file is compiled once for each instruction set, as CLONE.
#include "kernels/mcls/shared/cpu_paths.hpp"

#include "kernels/cpu/vector.hpp"

namespace mcls::counted_paths::CLONE {
namespace {

using namespace vectors::CLONE;
using Words = vectors::CLONE::Words;  // not mcls::Words

constexpr unsigned lanes = 32;  // histories side by side: while some wait for memory, others go on
constexpr unsigned registers = lanes / vector_words;

/// A word of each lane.
struct alignas(vector_bytes) Lanes {
    std::uint32_t of[lanes];

    __forceinline__ Words words(unsigned i) const { return load(&of[vector_words * i]); }
    __forceinline__ void set(unsigned i, Words words) { store(&of[vector_words * i], words); }
};

/// rng::philox4x32 on every word. Words with even numbers and those with odd ones are in the lower halves of pairs; the upper
/// halves may hold anything.
__forceinline__ void philox(Words (&counter)[4], const PhiloxKeys& keys) {
    Pairs c[4][2];
    for (unsigned word = 0; word < 4; word++) {
        c[word][0] = (Pairs)counter[word];
        c[word][1] = c[word][0] >> 32;
    }
#pragma GCC unroll 10
    for (const rng::PhiloxKey& key : keys.of_round) {
        for (unsigned half = 0; half < 2; half++) {
            const Pairs a = products(c[0][half], rng::philox_multiplier_a);
            const Pairs b = products(c[2][half], rng::philox_multiplier_b);
            c[0][half] = b >> 32 ^ c[1][half] ^ key.word[0];
            c[1][half] = b;
            c[2][half] = a >> 32 ^ c[3][half] ^ key.word[1];
            c[3][half] = a;
        }
    }
    for (unsigned word = 0; word < 4; word++) {
        counter[word] = (Words)((c[word][0] & 0xffffffff) | c[word][1] << 32);
    }
}

/// Histories that a thread takes from those of all, some at a time.
class Share {
 public:
    explicit Share(Histories& all) : all_(all) {}

    /// False if none is left.
    __forceinline__ bool take(std::uint64_t* history) {
        if (next_ == end_) {
            next_ = __atomic_fetch_add(&all_.next, at_once, __ATOMIC_RELAXED);
            if (next_ >= all_.end) return (end_ = next_) != next_;
            end_ = all_.end - next_ < at_once ? all_.end : next_ + at_once;
        }
        *history = next_++;
        return true;
    }

 private:
    static constexpr std::uint64_t at_once = 256;
    Histories& all_;
    std::uint64_t next_ = 0, end_ = 0;
};

/// Counters of 16 bits, which fit the nearest cache. They are added to the cells before the first one may overflow.
class Counters {
 public:
    Counters(std::uint32_t size, bench::Count* cells) : size_(size), cells_(cells) {}

    __forceinline__ void add(const Lanes& places) {
#pragma GCC unroll 32
        for (unsigned lane = 0; lane < lanes; lane++) count_[places.of[lane]]++;
    }

    /// After each quad of the lanes.
    __forceinline__ void added_quad() {
        if (++quads_ == most_quads) flush();
    }

    __forceinline__ void flush() {
        for (std::uint32_t i = 0; i < size_; i++) {
            cells_[i] += count_[i];
            count_[i] = 0;
        }
        quads_ = 0;
    }

 private:
    static constexpr unsigned most_quads =
        UINT16_MAX / (QuarterPaths::paths_of_word * QuarterPaths::words_of_quad * lanes);
    std::uint32_t size_;
    bench::Count* cells_;
    unsigned quads_ = 0;
    std::uint16_t count_[(QuarterPaths::most_states + 1) * QuarterPaths::cells] = {};
};

/// The lanes of one launch.
class Walkers {
 public:
    Walkers(const QuarterPaths& method, const PhiloxKeys& keys, std::uint32_t launch)
        : method_(method), keys_(keys), launch_(launch), ended_(QuarterPaths::paths * method.n) {
        for (unsigned lane = 0; lane < lanes; lane++) {
            state_.of[lane] = ended_;
            number_.of[lane] = 1;  // 0 would start a history
        }
    }

    /// Gives the next history to each lane whose one has ended. False if all have ended and none is left.
    __forceinline__ bool refill(Share& share) {
        bool walks = false;
        for (unsigned lane = 0; lane < lanes; lane++) {
            if (state_.of[lane] == ended_) {
                std::uint64_t history;
                if (!share.take(&history)) continue;
                taken_++;
                number_.of[lane] = 0;
                low_.of[lane] = static_cast<std::uint32_t>(history);
                high_.of[lane] = static_cast<std::uint32_t>(history >> 32);
            }
            walks = true;
        }
        return walks;
    }

    /// Draws a quad for each lane, starts the histories that have none yet, and walks the paths. What a lane without a history
    /// adds is in the row of those that have ended.
    __forceinline__ void walk_quad(Counters& counters) {
        draw();
        for (unsigned lane = 0; lane < lanes; lane++) {
            if (number_.of[lane]++ == 0) state_.of[lane] = start_of(lane);
        }
        for (unsigned i = 0; i < QuarterPaths::words_of_quad; i++) walk_word(quad_[i], counters);
        counters.added_quad();
    }

    std::uint64_t taken() const { return taken_; }

 private:
    __forceinline__ std::uint32_t start_of(unsigned lane) const {
        const std::uint64_t history = std::uint64_t{high_.of[lane]} << 32 | low_.of[lane];
        return QuarterPaths::paths * method_.start_of(history, quad_[3].of[lane]);
    }

    __forceinline__ void draw() {
        for (unsigned i = 0; i < registers; i++) {
            Words counter[4] = {number_.words(i), all_of(launch_), low_.words(i), high_.words(i)};
            philox(counter, keys_);
            for (unsigned word = 0; word < 4; word++) quad_[word].set(i, counter[word]);
        }
    }

    /// QuarterPaths::walk_word in all lanes.
    __forceinline__ void walk_word(const Lanes& word, Counters& counters) {
        Words state[registers];
        for (unsigned i = 0; i < registers; i++) state[i] = state_.words(i);
#pragma GCC unroll 5
        for (unsigned path = 0; path < QuarterPaths::paths_of_word; path++) {
            Lanes place;
#pragma GCC unroll 8
            for (unsigned i = 0; i < registers; i++) {
                const Words rest = word.words(i) >> QuarterPaths::path_bits * path;
                place.set(i,
                          state[i] / (QuarterPaths::paths / QuarterPaths::cells) | (rest & (QuarterPaths::cells - 1)));
                state[i] = gather(method_.next, state[i] | (rest & (QuarterPaths::paths - 1)));
            }
            counters.add(place);
        }
        for (unsigned i = 0; i < registers; i++) state_.set(i, state[i]);
    }

    const QuarterPaths& method_;
    const PhiloxKeys& keys_;
    std::uint32_t launch_, ended_;
    std::uint64_t taken_ = 0;
    Lanes state_, number_, low_{}, high_{}, quad_[4];  // number: of the next quad
};

std::uint64_t walk_histories(const QuarterPaths& method, const PhiloxKeys& keys, std::uint32_t launch,
                             Histories& histories, bench::Count* cells) {
    Share share(histories);
    Counters counters(method.n * QuarterPaths::cells, cells);
    Walkers walkers(method, keys, launch);
    while (walkers.refill(share)) walkers.walk_quad(counters);
    counters.flush();
    return walkers.taken();
}

}  // namespace

extern const Walk walk;
const Walk walk = walk_histories;

}  // namespace mcls::counted_paths::CLONE
