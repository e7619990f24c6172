// Text for people: lines of a report, numbers, how many of their digits mean something, quotes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bench {

/// A line of a report: its label and its text, in columns.
std::string line(const std::string& label, const std::string& text);

/// A count with thousands separators.
std::string grouped(std::uint64_t n);

/// The text in quotes. Quotes and control characters in it are escaped as in JSON, so that it stays on its line.
std::string quoted(std::string_view text);

/// Decimals up to the first digit of a standard deviation, at most those of a double; 0 if it is 0.
int decimals_to(double sd);

/// The largest d, up to 15, for which `bound` is at most 0.5 * 10^-d: an estimate with an error of at most `bound`,
/// rounded to d decimals, is right to +-1 in its last digit. Empty if `bound` exceeds 0.5.
std::optional<int> believed_decimals(double bound);

}  // namespace bench
