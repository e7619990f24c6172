// What a program writes to its terminal.
#pragma once

#include <string>

namespace bench {

/// Prints the line "`program`: `text`" to stderr.
void say(const std::string& program, const std::string& text);

/// Writes `text` to stdout and flushes. Throws WriteError.
void write_stdout(const std::string& text);

}  // namespace bench
