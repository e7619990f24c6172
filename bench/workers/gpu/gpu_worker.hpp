// A GPU as a worker.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/step.hpp"
#include "bench/workers/worker.hpp"

namespace bench {

/// Makes CUDA device `device` current and ready for launches of `step`, which must outlive the worker. It times launches,
/// including all phases, without allocation and filling. With Clock::gpu all together, from the first enqueue to the final
/// counts in device memory. With Clock::wall one after the other, from its first action to its counts in host memory.
/// @param alone not in a team, not even in one of one GPU: the launches are held back until all are enqueued, which a team's
/// time by the host's clock would count
std::unique_ptr<Worker> gpu_worker(int device, const Step& step, const LaunchSpec& spec, bool alone = true);

/// Runs launch 0 once, in an NVTX range, with nothing else on the GPU.
void profile(int device, const Step& step, const LaunchSpec& spec, const CountSink& sink);

}  // namespace bench
