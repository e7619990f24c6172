// A battery of tests of random words that runs on the GPU: a few instructions a word, so that minutes read 10^15 words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quality/words/part.cuh"

namespace quality::words {

/// Sums that share their law: for fair words each has mean 0 and variance `terms` x `variance`, whatever the number of words.
/// Sums of disjoint ranges of launches add up.
struct Group {
    std::string name;
    std::string what;     // counts the sums: "bit"
    unsigned first;       // number of the first one
    std::uint64_t terms;  // of each sum
    double variance;      // of a term
    double unit;          // sum / terms / unit is the bias that is reported
    std::vector<std::int64_t> sums;
};

/// The largest of more sums than are stored. These do not add up with those of other launches.
struct Largest {
    std::string name;
    std::uint64_t terms;                // of each sum of +-1
    std::uint64_t tested;               // number of sums
    double chi2;                        // sum of their squares, over `terms`
    std::vector<std::int64_t> sums;     // the farthest from 0 first
    std::vector<std::string> of_draws;  // the bits whose parity each is
};

struct Findings {
    std::vector<Group> groups;
    std::vector<Largest> largest;
};

/// A test of the words of a generator.
struct Test {
    std::string generator;
    std::string name;
    bool of_first_words;          // reads the first words of streams in one of the orders; otherwise whole streams
    Size size;                    // of a launch, the same on every GPU
    std::uint64_t words_of_trip;  // that a thread reads
    std::size_t sums;
    std::size_t shared_bytes;  // of a block
    void (*kernel)(bench::Count* sums, Part part);
    void (*on_host)(bench::Count* sums, const Part& part);
    Findings (*findings)(const std::vector<bench::Count>& sums, std::uint64_t words);

    std::uint64_t words_of_launch() const { return bench::total_threads(size.shape) * size.trips * words_of_trip; }
};

/// All tests, generator by generator. The first generators are those of steps, then come those with known faults.
const std::vector<Test>& tests();

/// Launches `first` to `first` + `launches` - 1 of a test.
struct Range {
    std::uint64_t seed;
    Order order;
    std::uint64_t first;
    std::uint64_t launches;
};

/// The sums of a range on the current GPU. `after(n)` is called after each of its launches. Throws CudaError.
std::vector<bench::Count> sums_on_gpu(const Test& test, const Range& range,
                                      const std::function<void(std::uint64_t)>& after);

/// The same sums by the same functions on the host, without those across the threads of a warp, which are 0.
std::vector<bench::Count> sums_on_host(const Test& test, const Range& range);

}  // namespace quality::words
