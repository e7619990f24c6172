// The report of a run for people.
#pragma once

#include <cstdint>
#include <string>

#include "bench/record/record.hpp"

namespace bench {

/// The report for people.
std::string to_text(const Record& run);

/// The report of --profile: a verdict, no rate. `tool` implied --profile; empty if the user gave it.
std::string profile_text(const std::string& version, const Step& step, const Tally& tally,
                         const std::string& tool = "");

/// The report of an interrupted pooled run: its estimate so far, no rate.
std::string interrupted_text(const std::string& version, const Step& step, const Tally& tally,
                             std::uint64_t all_launches);

}  // namespace bench
