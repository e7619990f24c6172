// The threads of a CPU as a worker.
#pragma once

#include <memory>

#include "bench/step.hpp"
#include "bench/workers/worker.hpp"

namespace bench {

/// Runs launches of `step`, which must outlive the worker, on the threads of this process, as many as a block of the
/// specification has. It times them one after the other, from their first action to their counts.
std::unique_ptr<Worker> cpu_worker(const Step& step, const LaunchSpec& spec);

}  // namespace bench
