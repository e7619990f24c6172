// Tools that a program may run under.
#pragma once

#include <optional>
#include <string>

namespace bench {

/// The tool that this process runs under, if it is one that slows launches down: "Nsight Compute", which repeats each to
/// count one thing after another, or "compute-sanitizer". By the environment variables that they set. Nsight Systems is
/// not one: it does not slow launches down.
std::optional<std::string> slowing_tool();

}  // namespace bench
