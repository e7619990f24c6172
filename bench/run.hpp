// Runs a program, from its command line to its exit code.
#pragma once

#include <string>

#include "bench/contract.hpp"
#include "bench/cpu/cpu_step.hpp"

namespace bench {

/// Runs a step of a ladder on GPUs as its command line says; returns the exit code.
int run(int argc, const char* const* argv, const std::string& ladder, const Step& step);

/// Runs a step of a ladder on the CPU as its command line says; returns the exit code.
int run(int argc, const char* const* argv, const std::string& ladder, const CpuStep& step);

}  // namespace bench
