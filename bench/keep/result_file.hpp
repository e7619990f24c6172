// Writing a result so that an interrupted run leaves the old file whole.
#pragma once

#include <string>

namespace bench {

/// Writes `text` to `path`: to a temporary file in the same folder, flushed, synced and renamed. Symbolic links are
/// followed; a target that exists and is no regular file (/dev/null, a pipe) is written straight into. Throws
/// WriteError; an existing file is then as it was.
void write_result(const std::string& path, const std::string& text);

/// Throws WriteError if write_result(path, ...) is sure to fail: finds a wrong path before the measurement, not after.
void check_writable(const std::string& path);

/// Writes `text` to stdout and flushes. Throws WriteError.
void write_stdout(const std::string& text);

}  // namespace bench
