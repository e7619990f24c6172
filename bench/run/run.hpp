// Runs a program, from its command line to its exit code. Every program compiles its own main.cpp, so this header includes nothing.
#pragma once

namespace bench {

struct Step;
struct CpuStep;

/// Runs a step on GPUs as the command line says; returns the exit code. `program` is the name of the program, "dice_gpu",
/// and `ladder` that of the step's ladder, "dice".
int run(int argc, const char* const* argv, const char* program, const char* ladder, const Step& step);

/// Runs a step on the CPU as the command line says; returns the exit code.
int run(int argc, const char* const* argv, const char* program, const char* ladder, const CpuStep& step);

}  // namespace bench
