// Exit codes of programs.
#pragma once

#include <functional>
#include <string>

namespace bench {

/// Runs `body` and returns the exit code. An exception is printed by say(). A signal ends the program at
/// once, unless `body` calls catch_interrupts().
int guarded(const std::string& program, const std::function<void()>& body);

}  // namespace bench
