// The source of a step's samples, and the known distribution of its hits. .cu files include it, so it is C++17.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/estimands/chance/expected.hpp"
#include "bench/step.hpp"

namespace bench {

/// Exact probability of a hit: `count` of `total` equally likely outcomes. A double holds the totals 2^n (n <= 64) and
/// 2^n - 1 (n <= 53) exactly. It rounds others, which changes the probability by at most 2^-53 of itself.
struct Expectation {
    std::uint64_t count;
    double total;
};

/// A source of samples: random words, the coordinates made of them, and the hits that follow.
struct Source {
    const char* name;       // "lcg"
    const char* generator;  // text for the report
    Soundness soundness;
    Expectation expected;
    double log2_cycle_samples;  // binary logarithm of the number of samples in the generator's whole cycle
    bool bit_planes = false;    // each bit of a word belongs to one of 32 lanes; replay takes a lane as a stream
    bool lagged = false;        // hundreds of bits of state, hashed for each thread: threads start in different cycles

    /// The words of a thread. Null if only a launch as a whole gives them.
    std::unique_ptr<WordStream> (*words)(const StreamId&) = nullptr;
    float (*coordinate)(std::uint32_t word) = nullptr;        // null unless x and y are two successive words
    bool (*hit)(std::uint32_t x, std::uint32_t y) = nullptr;  // the step's test of the two; null likewise
    /// Hits of a thread's first `iters` samples. Null if only a launch as a whole has words, or on the CPU alone.
    std::uint64_t (*replay)(const StreamId&, unsigned iters) = nullptr;
    /// Hits of `streams` successive streams, the first one `first`, by vector code; null: replay, one by one.
    std::uint64_t (*replay_streams)(const StreamId& first, unsigned streams, unsigned iters) = nullptr;
    unsigned together = 1;  // streams that have their hits together: a warp, where its lanes share samples
    /// Hits of launch number `launch`, of so many samples. Null if threads have their own words.
    std::uint64_t (*replay_launch)(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples) = nullptr;
};

/// The facts of a step that counts hits.
struct HitsOf {
    const Source& source;
    Independent independent = Independent::samples;
    /// For independent counts of dependent samples: the variance of a count over the binomial variance, in launches of
    /// `iters` samples per thread. Null: 1.
    double (*variance_ratio)(unsigned iters) = nullptr;
    /// Points of the set from which a launch takes its samples, a power of two. 0: no set.
    std::uint64_t most_samples = 0;
};

/// The estimand of a step whose counts are hits.
std::shared_ptr<const Estimand> hits(const HitsOf& what);

/// The facts of an estimand of hits. Throws std::bad_cast for another estimand.
const HitsOf& hits_of(const Estimand& estimand);

/// The source of a step's samples. Throws likewise.
const Source& source_of(const Step& step);

}  // namespace bench
