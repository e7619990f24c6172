// Systems of users, in files of the Matrix Market.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/mcls/system/lines.hpp"
#include "kernels/mcls/system/systems.hpp"

namespace mcls {

/// Whether a line of these words is the first one of a Matrix Market file.
bool is_banner(const std::vector<std::string_view>& words);

struct Header {
    bool integers, symmetric;
};

/// What the first line of a file says, the one that next() returned. Throws bench::UsageError unless it is of this format, real or
/// integer, and general, symmetric or hermitian, which is the same for real numbers.
Header header_of(const Lines& lines, const std::vector<std::string_view>& words, std::string_view format);

/// The numbers of the line after the comments, which are as many as `form` has words. Throws bench::UsageError.
std::vector<std::uint64_t> read_sizes(Lines& lines, std::string_view form);

/// The system with the matrix in a Matrix Market file and b = 1. The file is in coordinate format, with a header as header_of()
/// accepts it; values of the same place are added. Throws bench::UsageError for a file that cannot be opened or is not of this
/// form, names a row or column outside the matrix, a value that is not finite or another number of entries than follow, or has a
/// matrix that is not square, is too large or has an empty row. Throws bench::Error with exit_machine for a file that cannot
/// be read or does not fit into memory.
System read_system(const std::string& path);

}  // namespace mcls
