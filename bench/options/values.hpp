// The values of options. Each function converts the text of a value; for a wrong one it throws UsageError, naming `option`.
#pragma once

#include <cstdint>
#include <string>

#include "bench/options/options.hpp"

namespace bench {

/// A whole number in [least, most]: digits, or such a number in scientific form (1.5e9) or with a suffix k, M, G or T (powers of
/// 1000).
std::uint64_t parse_quantity(const std::string& option, const std::string& text, std::uint64_t least,
                             std::uint64_t most);

/// A positive number of seconds.
double parse_seconds(const std::string& option, const std::string& text);

/// A whole number, or "random", which draws one.
std::uint64_t parse_seed(const std::string& option, const std::string& text);

/// "strong" or "weak".
Scaling parse_scaling(const std::string& option, const std::string& text);

/// "all", or a list such as "0,2,3" that names no device twice.
DeviceChoice parse_devices(const std::string& option, const std::string& text);

/// The name of a file, which is not empty.
std::string parse_path(const std::string& option, const std::string& text);

}  // namespace bench
