// Ctrl-C between launches: no half result, exit code 130.
#pragma once

namespace bench {

/// From now on the first SIGINT or SIGTERM is only noted; a second one ends the program at once.
void catch_interrupts();

/// Whether a signal was noted.
bool interrupted();

/// Throws Interrupted if a signal was noted.
void throw_if_interrupted();

}  // namespace bench
