// For Step::rehearse.
#pragma once

#include "bench/contract.hpp"

namespace bench {
struct Work;
}

namespace mcls {

/// Runs a launch of few_of() the histories and compares what it publishes with their replay on the host.
/// Throws VerdictError, which names the count, if they differ, UsageError if a block has more histories than it counts, and
/// CudaError.
void compare_with_replay(const bench::Step& step, const bench::Work& work);

}  // namespace mcls
