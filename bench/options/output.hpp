// What a program writes to its terminal, and its exit code.
#pragma once

#include <functional>
#include <string>

namespace bench {

/// Prints the line "`program`: `text`" to stderr, without control characters, such as a line break in the name of a file.
void say(const std::string& program, const std::string& text);

/// Writes `text` to stdout and flushes. Throws WriteError.
void write_stdout(const std::string& text);

/// Runs `body` and returns the exit code. say() prints an exception. Without catch_interrupts() a signal ends the program.
int guarded(const std::string& program, const std::function<void()>& body);

/// Whether both paths lead to the same file, which need not exist.
bool same_file(const std::string& a, const std::string& b);

}  // namespace bench
