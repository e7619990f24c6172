// The lines of a text file that a user gives, and the numbers in them.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "bench/errors.hpp"

namespace mcls {

/// A text file, line by line; one that gzip has packed is unpacked. Throws bench::UsageError for a file that is missing, a folder,
/// not permitted or of another kind, which the line names, and bench::Error with exit_machine for one that cannot be read.
class Lines {
 public:
    explicit Lines(const std::string& path);
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    /// Words of the next line that is not blank; none at the end of the file. They are valid as long as this object.
    std::vector<std::string_view> next();

    /// The number that a word of the line states; empty if it states none. One beyond the range of doubles is infinite, or 0.
    std::optional<double> number_of(std::string_view word);

    /// Number of the line that next() returned, from 1.
    std::size_t number() const { return number_; }

    /// Throws bench::UsageError: the line that next() returned is not as `expected`.
    [[noreturn]] void refuse(std::string_view expected) const;

    /// Throws bench::UsageError: the file is not as it must be.
    [[noreturn]] void reject(std::string_view why) const;

    /// Warns on stderr, in one line, of what was odd in the lines so far. For a file that was read to its end.
    void warn() const;

 private:
    std::string path_;
    std::string text_;
    std::string_view rest_;
    std::optional<std::string_view> line_;  // none at the end of the file
    std::size_t number_ = 0;
    std::string underflow_, end_;  // what is odd; empty: nothing
};

/// The text without control characters, cut to the length that suits a message.
std::string printable(std::string_view text);

/// A number without a plus sign before its digits.
constexpr std::string_view without_plus(std::string_view word) {
    return word.substr(word.starts_with('+') && !word.starts_with("+-"));
}

/// The number that a whole word states, with or without a sign; empty if it states none, or one out of range.
template <class Number>
std::optional<Number> number_in(std::string_view word) {
    word = without_plus(word);
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

/// What `read` makes of the file. Throws bench::Error with exit_machine if memory does not suffice.
template <class Read>
auto within_memory(const std::string& path, const Read& read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        throw bench::Error(bench::exit_machine, fmt::format("out of memory: {} does not fit", path));
    }
}

}  // namespace mcls
