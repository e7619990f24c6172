// The right-hand sides that a user may choose.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mcls {

/// Whether right_hand_side() makes it by formula.
bool is_named_rhs(const std::string& name);

/// The right-hand side of n entries by its name, "ones" (b_i = 1) or "sine" (b_i = sin(pi i / (n - 1)), i from 0), or from a file
/// of this name. Throws like read_vector().
std::vector<double> right_hand_side(const std::string& name, std::uint32_t n);

/// The n numbers of a text file, one on each line, or of an array of the Matrix Market. Throws bench::UsageError for a file that cannot be opened, a line that is not
/// a number, a value that is not finite and another number of values. Throws bench::Error with exit_machine for a file that
/// cannot be read or does not fit into memory.
std::vector<double> read_vector(const std::string& path, std::uint32_t n);

}  // namespace mcls
