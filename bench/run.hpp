// Runs a program, from its command line to its exit code.
#pragma once

#include <string>

#include "bench/contract.hpp"
#include "bench/cpu/cpu_step.hpp"

namespace bench {

/// What a program is called, and the ladder of its step.
struct Program {
    std::string name;         // "dice_gpu"
    std::string ladder;       // "dice"
    std::string suffix = {};  // that its own options give to the names of the run: see OwnOptions::settle
};

/// The name of a run, to which its checkpoint belongs: "options_a5_steps64".
inline std::string name_of_run(const Program& program) { return program.name + program.suffix; }

/// Runs a step on GPUs as the command line says; returns the exit code.
int run(int argc, const char* const* argv, const Program& program, const Step& step);

/// Runs a step on the CPU as the command line says; returns the exit code.
int run(int argc, const char* const* argv, const Program& program, const CpuStep& step);

}  // namespace bench
