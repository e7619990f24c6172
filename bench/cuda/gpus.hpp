// Where a step's launches run: on one GPU, or on several that share them.
#pragma once

#include <memory>

#include "bench/benchmark.hpp"
#include "bench/contract.hpp"
#include "bench/team/workers.hpp"

namespace bench {

/// What a run on GPUs is, besides its plan.
struct GpuRun {
    const Step& step;
    const Options& options;
    Work work;
    int device;   // the first
    int sharers;  // ranks that have the same GPU, where most do
};

/// The current device, to itself. Counts go to `tally`.
std::unique_ptr<Backend> on_one_gpu(const GpuRun& run, Tally& tally);

/// GPUs that share launches. Counts go to `tally`.
std::unique_ptr<Backend> on_gpus(const GpuRun& run, std::unique_ptr<Workers> workers, Tally& tally);

}  // namespace bench
