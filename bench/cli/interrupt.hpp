// Ctrl-C between launches: no half result, and an exit code that names the signal.
#pragma once

#include "bench/cli/errors.hpp"

namespace bench {

/// From now on the first SIGINT, SIGTERM or SIGHUP is only noted; a second one ends the program at once. One that the
/// program was started to ignore stays ignored. A file that may grow no further (SIGXFSZ) is an error of the write, not
/// the end of the program.
void catch_interrupts();

/// From now on the first of these signals ends the program at once.
void release_interrupts();

/// Notes a signal that another process of the run got, by the exit code it calls for.
void note_interrupt(ExitCode code);

/// Whether a signal was noted.
bool interrupted();

/// The exit code of a run that the noted signal ended: 128 and its number, as shells have it. Where none was noted, that of
/// SIGINT.
ExitCode interrupt_code();

/// Throws Interrupted if a signal was noted.
void throw_if_interrupted();

}  // namespace bench
