// What a program says on stderr, and the exit code that it ends with.
#pragma once

#include <functional>
#include <string>

namespace bench {

/// One line on stderr, behind `program`.
void say(const std::string& program, const std::string& text);

/// Runs `body`; an exception becomes its one line on stderr, behind `program`, and its exit code.
int guarded(const std::string& program, const std::function<void()>& body);

}  // namespace bench
