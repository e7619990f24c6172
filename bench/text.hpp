// Text for people: lines of a report, numbers, quotes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

/// A line of a report: its label and its text, in columns.
std::string line(const std::string& label, const std::string& text);

/// A count with thousands separators.
std::string grouped(std::uint64_t n);

/// The text in quotes. Quotes and control characters in it are escaped as in JSON, so that it stays on its line.
std::string quoted(std::string_view text);

}  // namespace bench
