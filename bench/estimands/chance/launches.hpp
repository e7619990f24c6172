// What the launches of a run say about each other, and their blocks.
#pragma once

#include <cstdint>

#include "bench/estimands/chance/limits.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Throws VerdictError if the launch with the least or the most of what is counted is farther from the mean of all than chance
/// explains (is_outlier), given these distances and the variance over the launches. Does not judge fewer than least_units
/// launches. `counted`: plural.
void judge_extremes(std::uint64_t launches, double variance, double least_off, double most_off, const char* counted);

/// As above, of whole numbers.
void judge_extremes(const CountSums& of_launches, const char* counted);

/// Throws VerdictError if more launches published the same than chance explains: a launch was counted twice, or did not draw
/// its own random numbers. `chance`: that two launches publish the same, at most. Does not judge if that is likely.
/// `published`: plural.
void judge_repeats(const Tally& tally, double chance, const char* published);

/// Throws VerdictError if two parts of the launches, blocks, published the same in all of at least eight launches, where
/// chance makes that rarer than 1e-12: they draw the same random numbers. Of a resumed run the launches before and after it
/// was resumed are also judged apart, because a sound program's launches would hide those of another one.
void judge_parts(const Tally& tally);

}  // namespace bench
