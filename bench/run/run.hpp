// Runs a program, from its command line to its exit code. Every program compiles its own main.cpp, so this header includes nothing.
#pragma once

namespace bench {

struct Step;

/// Runs a step as the command line says; returns the exit code. `program` is the name of the program, "dice_gpu",
/// and `ladder` that of the step's ladder, "dice".
int run(int argc, const char* const* argv, const char* program, const char* ladder, const Step& step);

}  // namespace bench
