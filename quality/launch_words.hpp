// Combines the words of a launch's threads into one stream.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/estimands/hits/source.hpp"

namespace quality {

/// Selects words and their order.
struct WordOrder {
    std::uint64_t seed = 1234;
    std::uint64_t launch = 0;
    std::uint64_t threads = 1;
    // 0: one draw from each thread in turn, without end. Otherwise thread by thread, then the next launch.
    std::uint64_t words_per_thread = 0;
    bool lanes = false;  // lanes instead of bit planes
    bool pairs = false;  // a turn takes two words of a stream, x and y of a sample
};

/// The draws of one thread, turn by turn.
class ThreadWords {
 public:
    ThreadWords(const bench::Source& source, const bench::StreamId& id, const WordOrder& order);

    /// Words per turn: one, or two for pairs; times 32 for lanes.
    std::size_t words_per_turn() const { return (pairs_ ? 2 : 1) * (lanes_ ? 32 : 1); }

    /// Writes the words of a turn to `out`, lane by lane, x before y.
    void turn(std::uint32_t* out);

 private:
    void turn_of_lanes(std::uint32_t* out);

    std::unique_ptr<bench::WordStream> words_;
    bool lanes_;
    bool pairs_;
};

/// An endless stream of words.
class LaunchWords {
 public:
    LaunchWords(const bench::Source& source, const WordOrder& order);

    /// Appends the words of the next turn, of one thread or of all, to `out`.
    void turn(std::vector<std::uint32_t>& out);

 private:
    ThreadWords open(std::uint64_t launch, std::uint64_t thread) const;
    ThreadWords& next_in_turn();
    ThreadWords& next_by_thread();

    const bench::Source& source_;
    WordOrder order_;
    std::unique_ptr<bench::LaunchStream> launch_;  // the whole launch, if a turn of it is a word of each thread
    std::vector<ThreadWords> threads_;  // otherwise: the whole launch, or the current thread only if order is by thread
    std::uint64_t thread_ = 0;
    std::uint64_t left_ = 0;  // words left of the current thread
};

}  // namespace quality
