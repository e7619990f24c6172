// What a run counted, added up launch by launch. Knows sums, not what they mean.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/fingerprints.hpp"

namespace bench {

class Tally {
 public:
    /// Of no launch yet. `estimand` outlives the tally.
    Tally(const Estimand& estimand, const Work& work) : estimand_(&estimand), work_(work) { discard(); }

    /// Adds one launch by the counts that it published. Throws VerdictError as Estimand::row_of does.
    void add(std::span<const Count> published);

    /// Adds the launches of another tally of the same estimand and work. The trace gets one point of them at most, after the
    /// last.
    void add(const Tally& part);

    /// Forgets every launch so far, which were the warm-up.
    void discard() { restore({}); }

    /// A tally of no launch yet, of the same estimand and work.
    Tally empty() const { return Tally(*estimand_, work_); }

    const Estimand& estimand() const { return *estimand_; }
    const Work& work() const { return work_; }

    std::uint64_t launches() const { return state_.sums.launches; }

    /// Units of work that the launches did.
    std::uint64_t work_done() const { return estimand_->work_of(state_.sums, work_); }

    /// The sums as they were after the launch with which the work first reached 10^(k/8) units, for each integer k, and after
    /// the last launch: each launch at most once, so eight a decade.
    std::vector<Sums> trace() const;

    /// What a tally is made of: to be stored or sent, and put together again.
    struct State {
        Sums sums;
        Row least, most;  // of any launch; empty before the first one
        Fingerprints fingerprints;
        std::vector<Sums> marked;  // the trace, but for the last launch
    };
    const State& state() const { return state_; }

    /// Goes on from `state`, of launches of the same estimand and work; forgets every launch so far.
    void restore(State state);

 private:
    /// Adds launches that came to this.
    void add(const Sums& sums, const Row& least, const Row& most);
    /// Notes the sums for the trace if they are the first to reach a mark.
    void mark();
    /// Moves on to the first mark that the work has not reached.
    void pass_marks();

    const Estimand* estimand_;
    Work work_;
    State state_;
    unsigned next_mark_ = 0;  // k
};

}  // namespace bench
