// What nothing exceeds on this machine: how fast bytes move between host, GPU and the GPU's memory, and how many instructions
// a multiprocessor takes in a clock.
#pragma once

#include <string>
#include <vector>

namespace bench {

/// A rate that nothing exceeds which works in the same way.
struct Limit {
    std::string name;  // "pcie_up_pinned"; "imad_wide", an instruction of compute capability 9.0; "ffma_beside_popc"
    double rate;
};

/// Measures the current device, in 10^9 bytes per second, the median of several transfers: PCIe up and down, with pinned and
/// pageable host memory, by the host's clock; a copy within the GPU's memory, which counts what it reads and what it writes; a
/// kernel that only reads and one that only writes, by the GPU's. These three move 4 GiB, if half of the free memory is that large.
std::vector<Limit> measure_bandwidths();

/// Measures one multiprocessor of the current device, in instructions of threads per clock, by its own clock: the best of
/// several runs of a block of 32 warps, each thread with four chains of instructions that wait for the one before. Of
/// "a_beside_b" it counts a: kinds that share no pipe, with as many of a as take about as long as one of b. They should take
/// the time of the slower kind, if nothing else holds them up. What may hold up LOP3 beside IMAD is the reading of registers:
/// three for each LOP3 of "lop3_beside_imad", two for one of "lop3_2_beside_imad".
std::vector<Limit> measure_instruction_rates();

}  // namespace bench
