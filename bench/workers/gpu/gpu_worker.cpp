#include "bench/workers/gpu/gpu_worker.hpp"

#include "bench/options/interrupt.hpp"
#include "bench/workers/gpu/check.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/gpu/energy.hpp"

namespace bench {
namespace {

/// Makes the device current for this thread before anything is allocated there. Returns it.
int selected(int device) {
    select_device(device);
    return device;
}

WorkerFacts worker_facts(int device) {
    const DeviceFacts facts = device_facts(device);
    return {facts.name, device, facts.max_clock_mhz};
}

}  // namespace

GpuWorker::GpuWorker(int device, const Step& step, const Work& work)
    : device_(selected(device)),
      facts_(worker_facts(device)),
      runner_(step, work, [this](auto counts) { tally_->add(counts); }) {}

void GpuWorker::get_ready(unsigned launches) {
    select_device(device_);
    runner_.get_ready(launches);
}

BatchTime GpuWorker::run(const Share& share, Tally& tally) {
    tally_ = &tally;
    return runner_.run(share.first, share.launches);
}

std::optional<double> GpuWorker::power_w(double launch_ms) {
    select_device(device_);
    return power_of(runner_, device_, launch_ms);
}

std::optional<double> power_of(GpuRunner& runner, int device, double launch_ms) {
    const auto nvml = Nvml::open(device);
    if (!nvml) {
        return std::nullopt;
    }
    const auto power = mean_power(*nvml, [&](const std::function<void()>& idle) {
        throw_if_interrupted();
        runner.keep_busy(launch_ms, idle);
    });
    CUDA_CHECK(cudaDeviceSynchronize());
    return power;
}

}  // namespace bench
