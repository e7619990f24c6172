#include "bench/estimands/tally.hpp"

#include <cmath>
#include <stdexcept>

namespace bench {
namespace {

/// Fewest samples that reach 10^(k/8). In whole numbers: near 10^18 a double is a hundred samples off.
std::uint64_t samples_of_mark(unsigned k) { return static_cast<std::uint64_t>(std::ceil(std::pow(10.0, k / 8.0))); }

}  // namespace

void Tally::add(std::span<const Count> published) {
    const std::uint64_t hits = sum_published(published, samples_per_launch_, law_);
    state_.outcome.hits += hits;
    state_.outcome.samples += samples_per_launch_;
    if (units_.unit == Unit::block) {
        for (const Count count : published) state_.unit_hits.add(count);
    } else {
        state_.unit_hits.add(hits);
    }
    state_.launch_hits.add(hits);
    state_.fingerprints.add(published);
    mark();
}

void Tally::add(const Tally& part) {
    if (part.samples_per_launch_ != samples_per_launch_ || part.units_ != units_) {
        throw std::invalid_argument("Tally: launches of another size, or other units");
    }
    state_.outcome.hits += part.outcome().hits;
    state_.outcome.samples += part.outcome().samples;
    state_.unit_hits.add(part.state_.unit_hits);
    state_.launch_hits.add(part.state_.launch_hits);
    state_.fingerprints.merge(part.fingerprints().kept());
    mark();
}

void Tally::restore(const State& state) {
    discard();
    state_ = state;
    pass_marks();
}

void Tally::mark() {
    if (outcome().samples >= samples_of_mark(next_mark_)) {
        state_.marked.push_back(outcome());
    }
    pass_marks();
}

void Tally::pass_marks() {
    while (outcome().samples >= samples_of_mark(next_mark_)) {
        next_mark_++;
    }
}

std::optional<Spread> Tally::spread() const {
    return spread_of(state_.unit_hits, units_.unit, samples_per_launch_ / units_.per_launch, law_.expected);
}

std::optional<Spread> Tally::launch_spread() const {
    return spread_of(state_.launch_hits, Unit::launch, samples_per_launch_, law_.expected);
}

std::vector<Outcome> Tally::trace() const {
    std::vector<Outcome> trace = state_.marked;
    const std::uint64_t traced = trace.empty() ? 0 : trace.back().samples;
    if (traced != outcome().samples) {
        trace.push_back(outcome());
    }
    return trace;
}

}  // namespace bench
