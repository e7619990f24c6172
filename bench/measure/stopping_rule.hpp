// The stopping rule that the options of a program mean.
#pragma once

#include <cstdint>
#include <string>

#include "bench/estimand.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/options/options.hpp"

namespace bench {

/// The stopping rule of the options. Weak scaling multiplies the work by `workers`. Throws UsageError if all launches
/// together exceed max_work, if they are too few for an error estimate, or if they are more than have random words.
StoppingRule stopping_rule(const Options& options, const Estimand& estimand, std::uint64_t work_per_launch,
                           unsigned workers = 1);

/// The most launches of one timing, unless the user says how many: the counts of all are kept until it ends.
/// @param counts published by a launch
unsigned most_at_once(std::uint64_t counts);

/// Throws UsageError, naming the option `asked`, if `launches` are too few for an error estimate.
void require_enough_launches(const std::string& asked, std::uint64_t launches, const Estimand& estimand);

}  // namespace bench
