// Systems of users, in files of the Matrix Market.
#pragma once

#include <string>

#include "kernels/mcls/system/systems.hpp"

namespace mcls {

/// The system with the matrix in a Matrix Market file and b = 1. The file is in coordinate format, real or integer, general or
/// symmetric; values of the same place are added. Throws bench::UsageError for a file that cannot be opened or is not of this
/// form, names a row or column outside the matrix, a value that is not finite or another number of entries than follow, or has a
/// matrix that is not square, is too large or has an empty row. Throws bench::Error with exit_machine for a file that cannot
/// be read or does not fit into memory.
System read_system(const std::string& path);

}  // namespace mcls
