// Tallies of hits with any law, for tests.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "bench/estimands/hits/hits.hpp"
#include "bench/tally.hpp"
#include "bench/whole_numbers.hpp"

namespace sample_tallies {

/// A step declares its variance ratio as a function of its iterations, here in hundredths.
inline double ratio_of(unsigned iters) { return iters / 100.0; }

/// The estimand of hits by this law, always the same one. It lives as long as the tests.
inline const bench::Estimand& estimand_of(const bench::Law& law, bench::Soundness soundness = bench::Soundness::sound) {
    static std::deque<bench::Source> sources;
    static std::vector<std::shared_ptr<const bench::Estimand>> estimands;
    for (const auto& known : estimands) {
        const bench::HitsOf& what = bench::hits_of(*known);
        const bench::Expectation& expected = what.source.expected;
        if (expected.count == law.expected.count && expected.total == law.expected.total &&
            what.independent == law.independent && what.source.soundness == soundness) {
            return *known;
        }
    }
    sources.push_back({.name = "coin",
                       .generator = "thrown by hand",
                       .soundness = soundness,
                       .expected = law.expected,
                       .log2_cycle_samples = 1000});
    estimands.push_back(
        bench::hits({.source = sources.back(), .independent = law.independent, .variance_ratio = ratio_of}));
    return *estimands.back();
}

/// The specification of launches of `samples_per_launch` samples, which publish so many counts.
inline bench::LaunchSpec spec_of(const bench::Law& law, std::uint64_t samples_per_launch, std::uint64_t counts = 1) {
    return {.seed = 1234,
            .shape = {},
            .iters = static_cast<unsigned>(100 * law.variance_ratio),
            .streams = 1,
            .published = counts,
            .work = samples_per_launch};
}

/// An empty tally.
inline bench::Tally tally_of(const bench::Law& law, std::uint64_t samples_per_launch, std::uint64_t counts = 1) {
    return bench::Tally(estimand_of(law), spec_of(law, samples_per_launch, counts));
}

/// The state of a tally whose launches have `hits` hits in total, with the least possible variance.
inline bench::Tally::State state_of(std::uint64_t launches, std::uint64_t hits) {
    bench::Tally::State state;
    state.sums = {launches, {hits, bench::Uint128{hits} * hits / launches, bench::Uint128{hits} * hits / launches}};
    state.least = state.most = {hits / launches, bench::Uint128{hits / launches} * (hits / launches),
                                bench::Uint128{hits / launches} * (hits / launches)};
    return state;
}

/// The hits of a point of a trace.
inline std::uint64_t hits_of(const bench::Sums& sums) { return static_cast<std::uint64_t>(sums.row[0]); }

}  // namespace sample_tallies
