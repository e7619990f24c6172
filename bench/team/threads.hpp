// Workers of one process, a host thread each.
#pragma once

#include <memory>
#include <vector>

#include "bench/team/workers.hpp"

namespace bench {

/// Every worker on a host thread of its own.
std::unique_ptr<Workers> on_threads(std::vector<std::unique_ptr<Worker>> workers);

}  // namespace bench
