// A whole run of a program, from its command line to its exit code.
#pragma once

#include "bench/contract.hpp"
#include "bench/cpu/baseline.hpp"

namespace bench {

/// Runs a CUDA version as its command line says; returns the exit code.
int run(int argc, const char* const* argv, const Version& version);

/// Runs the CPU baseline as its command line says; returns the exit code.
int run(int argc, const char* const* argv, const CpuBaseline& baseline);

}  // namespace bench
