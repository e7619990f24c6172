// How fast this machine moves bytes between host, GPU and the GPU's memory.
#pragma once

#include <string>
#include <vector>

namespace bench {

/// A rate that nothing exceeds which moves its bytes in the same way.
struct Limit {
    std::string name;  // "pcie_up_pinned"
    double gbps;       // 10^9 bytes per second: the median of several transfers
};

/// Measures the current device: PCIe up and down, with pinned and pageable host memory, by the host's clock; a copy within
/// the GPU's memory, which counts what it reads and what it writes; a kernel that only reads and one that only writes, by the
/// GPU's.
std::vector<Limit> measure_limits();

}  // namespace bench
