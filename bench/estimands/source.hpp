// Where the samples of a step come from, and what is known of their hits. Included by .cu files, hence C++17.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/contract.hpp"

namespace bench {

/// Probability of a hit, exact: `count` of `total` equally likely outcomes. Totals are 2^n or 2^n - 1 (n <= 64), which
/// a double holds exactly.
struct Expectation {
    std::uint64_t count;
    double total;
};

/// Where samples come from: random words, the coordinates made of them, and the hits that both lead to.
struct Source {
    const char* name;       // "lcg"
    const char* generator;  // in words
    Soundness soundness;
    Expectation expected;
    double log2_cycle_samples;  // so many samples (their binary logarithm) use up the generator's whole cycle
    bool bit_planes = false;    // a word holds one bit of each of 32 lanes, the streams that replay follows
    bool lagged = false;        // hundreds of bits of state, hashed for each thread: threads start in different cycles

    /// Of a thread. Null where only the launch as a whole gives them.
    std::unique_ptr<WordStream> (*words)(const StreamId&) = nullptr;
    float (*coordinate)(std::uint32_t word) = nullptr;        // x and y are two successive words; null if they are not
    bool (*hit)(std::uint32_t x, std::uint32_t y) = nullptr;  // what the step's test says of the two; null likewise
    /// Hits of a thread's first `iters` samples. Null where a test replays launches in another way.
    std::uint64_t (*replay)(const StreamId&, unsigned iters) = nullptr;
};

/// The independent units of a run, over which its variance is measured: samples; the published counts, each of a block
/// whose samples depend on each other; or only launches, inside which samples depend on each other.
enum class Independent { samples, counts, launches };

/// What a step counts.
struct HitsOf {
    const Source& source;
    Independent independent = Independent::samples;
    /// Of independent counts whose samples depend on each other: the variance of a count of launches of `iters` samples a
    /// thread, relative to the binomial's. Null: 1.
    double (*variance_ratio)(unsigned iters) = nullptr;
    /// Of a launch: points of the set that it takes its samples from, a power of two. 0: no set.
    std::uint64_t most_samples = 0;
};

/// The estimand of a step whose counts are hits: pi.
std::shared_ptr<const Estimand> hits(const HitsOf& what);

/// What an estimand of hits counts. Throws std::bad_cast where it is another.
const HitsOf& hits_of(const Estimand& estimand);

/// Where the samples of a step come from. Throws likewise.
const Source& source_of(const Step& step);

}  // namespace bench
