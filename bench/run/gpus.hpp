// Backends that run launches on one GPU, or on several that share them.
#pragma once

#include <memory>

#include "bench/run/benchmark.hpp"
#include "bench/step.hpp"
#include "bench/workers/workers.hpp"

namespace bench {

/// The facts of a run on GPUs, besides its plan.
struct GpuRun {
    const Step& step;
    const Options& options;
    Work work;
    int device;                                     // the first
    int sharers;                                    // largest number of ranks on one GPU
    std::optional<std::uint64_t> rehearsed_blocks;  // on each GPU; empty if the host cannot replay the step
};

/// Where runs on this device are measured.
Context gpu_context(int device);

/// Runs launches on the current device. Counts go to `tally`.
std::unique_ptr<Backend> on_one_gpu(const GpuRun& run, Tally& tally);

/// Runs launches on the current device, each in a whole call.
std::unique_ptr<Backend> in_whole_calls(const GpuRun& run, Tally& tally);

/// Runs launches on GPUs that share them. Counts go to `tally`.
std::unique_ptr<Backend> on_gpus(const GpuRun& run, std::unique_ptr<Workers> workers, Tally& tally);

}  // namespace bench
