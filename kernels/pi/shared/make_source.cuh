// Builds a bench::Source from a thread's draws, a coordinate conversion and a hit rule.
#pragma once

#include <memory>
#include <vector>

#include "bench/estimands/hits/source.hpp"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/pair_streams.hpp"
#include "kernels/random/draws.cuh"

namespace pi {

using Coordinate = float (*)(unsigned word);
using HitOfWords = bool (*)(unsigned x, unsigned y);

/// The hit rule of v1 to v12 on the coordinates of two words.
template <Coordinate coordinate>
__host__ __device__ bool scaled_hit_of_words(unsigned x, unsigned y) {
    return is_hit(coordinate(x), coordinate(y));
}

/// The hit rule of v13 on two words.
__host__ __device__ inline bool folded_hit_of_words(unsigned x, unsigned y) { return folded_hit(x, y) != 0; }

/// The `Draws` of a launch's threads as a bench::LaunchStream.
template <typename Draws>
class LaunchWordsOf : public bench::LaunchStream {
 public:
    explicit LaunchWordsOf(bench::StreamId id) {
        threads_.reserve(id.threads);
        for (id.thread = 0; id.thread < id.threads; id.thread++) {
            threads_.emplace_back(id);
        }
    }
    void next(std::uint32_t* words) override {
        for (Draws& draws : threads_) {
            *words++ = draws();
        }
    }

 private:
    std::vector<Draws> threads_;
};

/// `Draws` as a bench::WordStream.
template <typename Draws>
class WordsOf : public bench::WordStream {
 public:
    explicit WordsOf(const bench::StreamId& id) : draws_(id) {}
    std::uint32_t next() override { return draws_(); }
    std::unique_ptr<bench::LaunchStream> of_launch(const bench::StreamId& id) const override {
        return std::make_unique<LaunchWordsOf<Draws>>(id);
    }

 private:
    Draws draws_;
};

template <typename Draws>
std::unique_ptr<bench::WordStream> words_of(const bench::StreamId& id) {
    return std::make_unique<WordsOf<Draws>>(id);
}

/// Replays a thread on the host, with the same draws and the same hit rule as on the GPU.
template <typename Draws, HitOfWords is_hit_of_words>
std::uint64_t replay(const bench::StreamId& id, unsigned iters) {
    Draws draws(id);
    std::uint64_t hits = 0;
    for (unsigned i = 0; i < iters; i++) {
        const unsigned x = draws();
        const unsigned y = draws();
        hits += is_hit_of_words(x, y) ? 1 : 0;
    }
    return hits;
}

/// A source whose threads draw `Draws`. `coordinate` makes a coordinate from a word. Pairs are tested by the rule of v1,
/// or by another rule on the words. `loop`: that of the same draws and rule, if there is one.
template <typename Draws, Coordinate coordinate, pairs::Loop loop = nullptr,
          HitOfWords is_hit_of_words = scaled_hit_of_words<coordinate>>
bench::Source make_source(const char* name, bench::Soundness soundness, bench::Expectation expected,
                          rng::Generator generator = Draws::generator) {
    return {.name = name,
            .generator = generator.name,
            .soundness = soundness,
            .expected = expected,
            .log2_cycle_samples = generator.log2_cycle - 1,  // two draws a sample
            .lagged = generator.lagged,
            .words = words_of<Draws>,
            .coordinate = coordinate,
            .hit = is_hit_of_words,
            .replay = replay<Draws, is_hit_of_words>,
            .replay_streams = pairs::replay_by<Draws, loop>()};
}

/// A source whose threads draw `Draws` and test the words themselves by the rule of v13.
template <typename Draws, pairs::Loop loop = nullptr>
bench::Source make_folded_source(const char* name, bench::Soundness soundness, bench::Expectation expected) {
    return make_source<Draws, to_unit_interval, loop, folded_hit_of_words>(name, soundness, expected);
}

}  // namespace pi
