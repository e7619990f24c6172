// The hits of a run, added up launch by launch, and what tells whether they can be believed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/contract.hpp"
#include "bench/estimands/fingerprints.hpp"
#include "bench/estimands/law.hpp"
#include "bench/estimands/spread.hpp"
#include "bench/measure/statistics.hpp"

namespace bench {

class Tally {
 public:
    explicit Tally(const Law& law, std::uint64_t samples_per_launch, const Units& units = {})
        : law_(law), samples_per_launch_(samples_per_launch), units_(units) {}

    /// Adds one launch by the counts that it published: one for each unit where units are blocks. Throws VerdictError as
    /// sum_published does.
    void add(std::span<const Count> published);

    /// Adds the launches of another tally, of launches of the same size and units (throws std::invalid_argument
    /// otherwise). The trace gets one point of them at most, after the last.
    void add(const Tally& part);

    /// Forgets every launch so far, which were the warm-up.
    void discard() { *this = empty(); }

    /// A tally of no launch yet, for launches of the same size and units.
    Tally empty() const { return Tally(law_, samples_per_launch_, units_); }

    const Law& law() const { return law_; }
    std::uint64_t samples_per_launch() const { return samples_per_launch_; }
    const Units& units() const { return units_; }

    /// All launches together.
    const Outcome& outcome() const { return state_.outcome; }

    /// The hits of each launch.
    const CountSums& launch_hits() const { return state_.launch_hits; }

    const Fingerprints& fingerprints() const { return state_.fingerprints; }

    /// The spread of the units so far, and that of whole launches, as spread_of has it.
    std::optional<Spread> spread() const;
    std::optional<Spread> launch_spread() const;

    /// The outcome as it was after the launch with which the samples first reached 10^(k/8), for each integer k, and
    /// after the last launch: each launch at most once, so eight a decade.
    std::vector<Outcome> trace() const;

    /// What a tally is made of: to be stored or sent, and put together again.
    struct State {
        Outcome outcome;
        CountSums unit_hits;
        CountSums launch_hits;
        Fingerprints fingerprints;
        std::vector<Outcome> marked;  // the trace, but for the last launch
    };
    const State& state() const { return state_; }

    /// Goes on from `state`, of launches of the same size and units; forgets every launch so far.
    void restore(const State& state);

 private:
    /// Notes the outcome for the trace if it is the first to reach a mark.
    void mark();
    /// Moves on to the first mark that the outcome has not reached.
    void pass_marks();

    Law law_;
    std::uint64_t samples_per_launch_;
    Units units_;
    State state_;
    unsigned next_mark_ = 0;  // k
};

}  // namespace bench
