#include "bench/record/context.hpp"

#include <fmt/format.h>

#include "bench/workers/gpu/energy.hpp"

namespace bench {

Context gpu_context(int device) {
    Context context = cpu_context();
    const auto nvml = Nvml::open(device);
    const auto version = nvml ? nvml->driver_version() : std::nullopt;
    context.device = device_facts(device);
    context.driver = version.value_or(fmt::format("for CUDA {}", driver_cuda_version()));
    context.runtime = runtime_version();
    return context;
}

Context cpu_context() { return {utc_now(), build_info(), host_facts(), std::nullopt, std::nullopt, std::nullopt}; }

}  // namespace bench
