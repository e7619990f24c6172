// Writes results. An interrupted run leaves the old file complete.
#pragma once

#include <string>

namespace bench {

/// Writes `text` to `path`: to a temporary file in the same folder, which is synced and renamed. Follows symbolic
/// links. Writes directly into an existing target that is not a regular file (/dev/null, a pipe). Throws WriteError; an
/// existing file is then unchanged.
void write_result(const std::string& path, const std::string& text);

/// Writes to where an option such as --json says: "-" is stdout, anything else a path. Throws WriteError.
void write_target(const std::string& target, const std::string& text);

/// Throws WriteError if write_result(path, ...) is certain to fail. Called before the measurement, so that a wrong path
/// does not waste it.
void check_writable(const std::string& path);

/// As check_writable, of write_target(target, ...).
void check_target(const std::string& target);

}  // namespace bench
