// A run as it is told to people.
#pragma once

#include <cstdint>
#include <string>

#include "bench/record.hpp"

namespace bench {

/// The report for people.
std::string to_text(const Context& context, const Run& run);

/// The report of --profile: a verdict, no rate. `tool` is the one that implied --profile, if one did.
std::string profile_text(const Subject& subject, const Tally& tally, const std::string& tool = "");

/// The report of a pooled run that was interrupted before all of its launches were done: its estimate, no rate.
std::string interrupted_text(const Subject& subject, const Tally& tally, std::uint64_t all_launches);

}  // namespace bench
