// The lines of a report.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

/// A line of a report: its label and its text, in columns.
std::string line(const std::string& label, const std::string& text);

/// A count with thousands separators.
std::string grouped(std::uint64_t n);

}  // namespace bench
