// Ctrl-C between launches: no half result, and an exit code that names the signal.
#pragma once

#include "bench/errors.hpp"

namespace bench {

/// From now on the first SIGINT or SIGTERM is only noted; a second one ends the program at once. A file that may grow no
/// further (SIGXFSZ) is an error of the write, not the end of the program.
void catch_interrupts();

/// Notes a signal that another process of the run got, by the exit code it calls for.
void note_interrupt(ExitCode code);

/// Whether a signal was noted.
bool interrupted();

/// The exit code of a run that the noted signal ended: 128 and its number, as shells have it.
ExitCode interrupt_code();

/// Throws Interrupted if a signal was noted.
void throw_if_interrupted();

}  // namespace bench
