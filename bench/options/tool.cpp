#include "bench/options/tool.hpp"

#include <cstdlib>

namespace bench {

// As of CUDA 13.0, the tools set these variables.
std::optional<std::string> slowing_tool() {
    if (std::getenv("NV_COMPUTE_PROFILER_PERFWORKS_DIR")) return "Nsight Compute";
    if (std::getenv("NV_SANITIZER_INJECTION_PORT_BASE")) return "compute-sanitizer";
    return std::nullopt;
}

}  // namespace bench
