// Signals such as Ctrl-C end a run between launches; the exit code names the signal.
#pragma once

#include "bench/cli/errors.hpp"

namespace bench {

/// From now on the first SIGINT, SIGTERM or SIGHUP is only noted; a second one ends the program at once. Signals that
/// were ignored at the start stay ignored. SIGXFSZ, for a file that may not grow further, makes the write fail instead
/// of ending the program.
void catch_interrupts();

/// From now on the first of these signals ends the program at once.
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
