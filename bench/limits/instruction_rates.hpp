// How many instructions of a kind a multiprocessor takes in a clock.
#pragma once

#include <string>
#include <vector>

namespace bench {

/// What nothing exceeds that executes instructions of this kind alone.
struct InstructionRate {
    std::string name;  // "imad_wide", after the machine instruction of compute capability 9.0
    double per_clock;  // instructions of threads per clock and multiprocessor
};

/// Measures one multiprocessor of the current device, by its own clock: the best of several runs of a block of 32 warps, each
/// thread with four chains of instructions that wait for the one before.
std::vector<InstructionRate> measure_instruction_rates();

}  // namespace bench
