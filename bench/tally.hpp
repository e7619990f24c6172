// Sums over the launches of a run. The estimand gives them their meaning.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/fingerprints.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {

class Tally {
 public:
    /// An empty tally. `estimand` must outlive it.
    Tally(const Estimand& estimand, const LaunchSpec& spec)
        : estimand_(&estimand), spec_(spec), parts_(estimand.parts(spec)) {
        discard();
    }

    /// Adds one launch, given its published counts. Throws VerdictError as Estimand::row_of does, and beyond max_work.
    void add(std::span<const Count> published);

    /// Adds the launches of another tally of the same estimand and specification; throws std::invalid_argument otherwise. Adds at most
    /// one point to the trace, after the last of them.
    void add(const Tally& part);

    /// Forgets all launches so far. Called after the warm-up.
    void discard() { restore({}); }

    /// An empty tally of the same estimand and specification.
    Tally empty() const { return Tally(*estimand_, spec_); }

    const Estimand& estimand() const { return *estimand_; }
    const LaunchSpec& spec() const { return spec_; }
    const Parts& parts() const { return parts_; }
    /// Number of parts whose fingerprints are kept.
    std::size_t followed_parts() const;

    std::uint64_t launches() const { return state_.sums.launches; }

    /// Units of work of all launches.
    std::uint64_t work_done() const { return estimand_->work_of(state_.sums, spec_); }

    /// The traced sums after each launch with which the work first reached 10^(k/8) units, for each integer k, and after the
    /// last launch. No launch appears twice, so there are eight points per decade.
    std::vector<Sums> trace() const;

    /// The contents of a tally, to store, send and restore.
    struct State {
        Sums sums;
        Row least, most;  // extremes of the traced sums over the launches; empty before the first one
        Fingerprints fingerprints;
        PartPrints parts;          // empty if nothing is known of their chance to be alike
        std::vector<Sums> marked;  // the trace of the traced sums, without the last launch
    };
    const State& state() const { return state_; }

    /// Replaces the contents by `state`, which comes from launches of the same estimand and specification.
    void restore(State state);

    /// What was restored. A resumed run goes on from there, perhaps with another program.
    struct Restored {
        std::uint64_t launches;
        PartPrints parts;
    };
    const Restored& restored() const { return restored_; }

 private:
    /// Adds launches with these sums and extremes.
    void add(const Sums& sums, const Row& least, const Row& most);
    /// The sums so far without those that are not traced.
    Sums traced() const;
    /// Adds a point to the trace if the sums are the first to reach a mark.
    void mark();
    /// Moves on to the first mark that the work has not reached.
    void pass_marks();

    const Estimand* estimand_;
    LaunchSpec spec_;
    Parts parts_;
    State state_;
    Restored restored_;
    unsigned next_mark_ = 0;  // k
};

/// A state in the form in which a run is stored, and ranks send their parts: 64-bit words. They are the launches and sums, the
/// extremes, the fingerprints, those of parts, then the trace. The length comes before a list, and the lower half before the upper.
std::vector<std::uint64_t> words_of(const Tally::State& state);

/// The inverse of words_of. Throws std::invalid_argument if the words are not those of a state.
Tally::State state_of(std::span<const std::uint64_t> words);

}  // namespace bench
