#include "bench/tally.hpp"

#include <cmath>
#include <stdexcept>

namespace bench {
namespace {

/// Fewest samples that reach 10^(k/8). In whole numbers: near 10^18 a double is a hundred samples off.
std::uint64_t samples_of_mark(unsigned k) { return static_cast<std::uint64_t>(std::ceil(std::pow(10.0, k / 8.0))); }

}  // namespace

void Tally::add(std::span<const Count> published) {
    const std::uint64_t hits = sum_published(published, samples_per_launch_);
    outcome_.hits += hits;
    outcome_.samples += samples_per_launch_;
    if (units_.unit == Unit::block) {
        for (const Count count : published) unit_hits_.add(count);
    } else {
        unit_hits_.add(hits);
    }
    mark();
}

void Tally::add(const Tally& part) {
    if (part.samples_per_launch_ != samples_per_launch_ || part.units_ != units_) {
        throw std::invalid_argument("Tally: launches of another size, or other units");
    }
    outcome_.hits += part.outcome_.hits;
    outcome_.samples += part.outcome_.samples;
    unit_hits_.add(part.unit_hits_);
    mark();
}

void Tally::restore(const State& state) {
    discard();
    outcome_ = state.outcome;
    unit_hits_ = state.unit_hits;
    marked_ = state.marked;
    pass_marks();
}

void Tally::mark() {
    if (outcome_.samples >= samples_of_mark(next_mark_)) {
        marked_.push_back(outcome_);
    }
    pass_marks();
}

void Tally::pass_marks() {
    while (outcome_.samples >= samples_of_mark(next_mark_)) {
        next_mark_++;
    }
}

std::optional<Spread> Tally::spread(const Expectation& expected) const {
    return spread_of(unit_hits_, units_.unit, samples_per_launch_ / units_.per_launch, expected);
}

std::vector<Outcome> Tally::trace() const {
    std::vector<Outcome> trace = marked_;
    const std::uint64_t traced = trace.empty() ? 0 : trace.back().samples;
    if (traced != outcome_.samples) {
        trace.push_back(outcome_);
    }
    return trace;
}

}  // namespace bench
