// Where a run was measured, and with what program.
#pragma once

#include <optional>
#include <string>

#include "bench/options/build_info.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/host_facts.hpp"

namespace bench {

/// On the CPU there is no device, driver or runtime.
struct Context {
    std::string date;
    BuildInfo build;
    HostFacts host;
    std::optional<DeviceFacts> device;
    std::optional<std::string> driver;
    std::optional<std::string> runtime;
};

/// The context of runs on a CUDA device, and of runs on the CPU.
Context gpu_context(int device);
Context cpu_context();

}  // namespace bench
