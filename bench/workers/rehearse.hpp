// Rehearses a step.
#pragma once

#include <cstdint>
#include <optional>

#include "bench/step.hpp"

namespace bench {

/// Runs a small launch on the whole grid of a device and compares what it publishes with its replay on the host, for about half a
/// second. Returns how many blocks were replayed; empty if the host cannot replay the step. Throws VerdictError and CudaError.
std::optional<std::uint64_t> rehearse(int device, const Step& step, const LaunchSpec& spec);

/// The same on the threads of this process. Returns how many parts of the launch were replayed that publish sums of their own.
std::optional<std::uint64_t> rehearse_on_cpu(const Step& step, const LaunchSpec& spec);

}  // namespace bench
