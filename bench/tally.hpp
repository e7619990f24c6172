// The hits of a run, added up launch by launch, and how widely those of its units scatter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/contract.hpp"
#include "bench/spread.hpp"
#include "bench/statistics.hpp"
#include "bench/verdict.hpp"

namespace bench {

class Tally {
 public:
    explicit Tally(std::uint64_t samples_per_launch, const Units& units = {})
        : samples_per_launch_(samples_per_launch), units_(units) {}

    /// Adds one launch by the counts that it published: one for each unit where units are blocks. Throws VerdictError as
    /// sum_published does.
    void add(std::span<const Count> published);

    /// Adds the launches of another tally, of launches of the same size and units (throws std::invalid_argument
    /// otherwise). The trace gets one point of them at most, after the last.
    void add(const Tally& part);

    /// Forgets every launch so far, which were the warm-up.
    void discard() { *this = empty(); }

    /// A tally of no launch yet, for launches of the same size and units.
    Tally empty() const { return Tally(samples_per_launch_, units_); }

    /// All launches together.
    const Outcome& outcome() const { return outcome_; }

    /// The spread of the units so far, as spread_of has it.
    std::optional<Spread> spread(const Expectation& expected) const;

    /// The outcome as it was after the launch with which the samples first reached 10^(k/8), for each integer k, and
    /// after the last launch: each launch at most once, so eight a decade.
    std::vector<Outcome> trace() const;

    /// What a tally is made of: to be stored or sent, and put together again.
    struct State {
        Outcome outcome;
        CountSums unit_hits;
        std::vector<Outcome> marked;  // the trace, but for the last launch
    };
    State state() const { return {outcome_, unit_hits_, marked_}; }

    /// Goes on from `state`, of launches of the same size and units; forgets every launch so far.
    void restore(const State& state);

 private:
    /// Notes the outcome for the trace if it is the first to reach a mark.
    void mark();
    /// Moves on to the first mark that the outcome has not reached.
    void pass_marks();

    std::uint64_t samples_per_launch_;
    Units units_;
    Outcome outcome_;
    CountSums unit_hits_;
    std::vector<Outcome> marked_;
    unsigned next_mark_ = 0;  // k
};

}  // namespace bench
