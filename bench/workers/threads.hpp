// Workers of one process.
#pragma once

#include <memory>
#include <vector>

#include "bench/workers/workers.hpp"

namespace bench {

/// Runs each worker on a separate host thread, and a single one on the calling thread.
std::unique_ptr<Workers> on_threads(std::vector<std::unique_ptr<Worker>> workers);

}  // namespace bench
