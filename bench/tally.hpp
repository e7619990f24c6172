// The hits of a run, added up launch by launch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/contract.hpp"
#include "bench/verdict.hpp"

namespace bench {

class Tally {
 public:
    explicit Tally(std::uint64_t samples_per_launch) : samples_per_launch_(samples_per_launch) {}

    /// Adds one launch by the counts that it published. Throws VerdictError as sum_published does.
    void add(std::span<const Count> published);

    /// Forgets every launch so far, which were the warm-up.
    void discard() { *this = Tally(samples_per_launch_); }

    /// All launches together.
    const Outcome& outcome() const { return outcome_; }

    /// The outcome as it was after the launch with which the samples first reached 10^(k/8), for each integer k, and
    /// after the last launch: each launch at most once, so eight a decade.
    std::vector<Outcome> trace() const;

 private:
    std::uint64_t samples_per_launch_;
    Outcome outcome_;
    std::vector<Outcome> marked_;
    unsigned next_mark_ = 0;  // k
};

}  // namespace bench
