// Signals such as Ctrl-C end a program at once while it prepares, and between launches once it measures; the exit code names
// the signal.
#pragma once

#include <string>

#include "bench/errors.hpp"

namespace bench {

/// From now on SIGINT, SIGTERM or SIGHUP ends the program at once, with the line of Interrupted and the exit code of the signal:
/// there is nothing to lose. Signals that were ignored at the start stay ignored, here and below. SIGXFSZ, for a file that may
/// not grow further, makes the write fail instead of ending the program.
void end_on_interrupts(const std::string& program);

/// From now on the first of these signals is only noted; a second one ends the program at once.
void catch_interrupts();

/// From now on the first of these signals kills the program, without a word.
void release_interrupts();

/// Notes a signal that another process of the run received, given its exit code.
void note_interrupt(ExitCode code);

/// Whether a signal was noted.
bool interrupted();

/// The exit code after the noted signal: 128 plus its number, as in shells. If none was noted, that of SIGINT.
ExitCode interrupt_code();

/// Throws Interrupted if a signal was noted.
void throw_if_interrupted();

}  // namespace bench
