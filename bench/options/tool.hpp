// Tools that a program may run under.
#pragma once

#include <optional>
#include <string>

namespace bench {

/// The tool that slows down the launches of this process, if there is one: "Nsight Compute", which repeats each launch
/// to measure one thing after another, or "compute-sanitizer". Detected by the environment variables that they set.
/// Nsight Systems does not slow launches down, so it does not count.
std::optional<std::string> slowing_tool();

}  // namespace bench
