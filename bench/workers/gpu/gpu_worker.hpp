// A GPU as a worker of a team.
#pragma once

#include "bench/step.hpp"
#include "bench/workers/gpu/gpu_runner.hpp"
#include "bench/workers/worker.hpp"

namespace bench {

class GpuWorker : public Worker {
 public:
    /// Makes CUDA device `device` ready for launches of `step`.
    GpuWorker(int device, const Step& step, const Work& work);

    WorkerFacts facts() const override { return facts_; }
    void get_ready(unsigned launches) override;
    BatchTime run(const Share& share, Tally& tally) override;
    void discard_clocks() override { runner_.discard_clocks(); }
    std::optional<double> clock_mhz() const override { return runner_.sm_clock_mhz(); }
    std::optional<double> power_w(double launch_ms) override;

 private:
    int device_;
    WorkerFacts facts_;
    Tally* tally_ = nullptr;  // of the running share
    GpuRunner runner_;
};

/// Mean power of a device, in watts, over about a second of launches of `launch_ms` each. Empty without NVML or its
/// energy counter. Throws Interrupted after a signal.
std::optional<double> power_of(GpuRunner& runner, int device, double launch_ms);

}  // namespace bench
