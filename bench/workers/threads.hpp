// Workers of one process, one host thread each.
#pragma once

#include <memory>
#include <vector>

#include "bench/workers/workers.hpp"

namespace bench {

/// Runs each worker on a separate host thread.
std::unique_ptr<Workers> on_threads(std::vector<std::unique_ptr<Worker>> workers);

}  // namespace bench
