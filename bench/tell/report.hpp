// A run as it is told to people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bench/record.hpp"

namespace bench {

/// The report for people.
std::string to_text(const Context& context, const Run& run);

/// The report of --profile: a verdict, no rate. `tool` is the one that implied --profile, if one did.
std::string profile_text(const Subject& subject, const Outcome& outcome, const std::optional<Spread>& spread,
                         const std::string& tool = "");

/// The report of a pooled run that was interrupted after `launches` of `all_launches`: its estimate, no rate.
std::string interrupted_text(const Subject& subject, const Outcome& outcome, const std::optional<Spread>& spread,
                             std::uint64_t launches, std::uint64_t all_launches);

/// A count with thousands separators.
std::string grouped(std::uint64_t n);

}  // namespace bench
