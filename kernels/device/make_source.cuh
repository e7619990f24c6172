// A bench::Source from the draws of a thread and a map from words to coordinates.
#pragma once

#include <memory>

#include "bench/contract.hpp"
#include "kernels/device/replay.hpp"

namespace pi {

using Coordinate = float (*)(unsigned word);

/// `Draws` behind the interface that hides which.
template <typename Draws>
class WordsOf : public bench::WordStream {
 public:
    explicit WordsOf(const bench::StreamId& id) : draws_(id) {}
    std::uint32_t next() override { return draws_(); }

 private:
    Draws draws_;
};

template <typename Draws>
std::unique_ptr<bench::WordStream> words_of(const bench::StreamId& id) {
    return std::make_unique<WordsOf<Draws>>(id);
}

template <typename Draws, Coordinate coordinate>
std::uint64_t replay(const bench::StreamId& id, unsigned iters) {
    Draws draws(id);
    return replay_hits(iters, [&] { return coordinate(draws()); });
}

/// The source whose thread draws `Draws` and makes each coordinate by `coordinate`.
template <typename Draws, Coordinate coordinate>
bench::Source make_source(const char* name, const char* generator, bench::Soundness soundness,
                          bench::Expectation expected, double log2_cycle_samples) {
    return {name,
            generator,
            soundness,
            expected,
            log2_cycle_samples,
            false,
            words_of<Draws>,
            coordinate,
            replay<Draws, coordinate>};
}

}  // namespace pi
