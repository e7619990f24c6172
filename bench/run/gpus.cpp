#include "bench/run/gpus.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/measure/statistics.hpp"
#include "bench/options/tool.hpp"
#include "bench/workers/gpu/clock_warning.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/gpu/energy.hpp"
#include "bench/workers/gpu/gpu_worker.hpp"
#include "bench/workers/gpu/whole_call.hpp"
#include "bench/workers/team.hpp"

namespace bench {
namespace {

/// Clock and power of the GPUs during the launches.
struct GpuLoad {
    std::optional<double> clock_mhz;  // median over the GPUs
    std::optional<double> power_w;    // sum over the GPUs
    std::optional<TeamReport> team;   // of several GPUs: figures of each
};

std::string driver_text(const Nvml* nvml) {
    const auto version = nvml ? nvml->driver_version() : std::nullopt;
    return version.value_or(fmt::format("for CUDA {}", driver_cuda_version()));
}

void add_gpu_warnings(std::vector<std::string>& warnings, const GpuLoad& load, const DeviceFacts& device,
                      bool wants_power, int sharers) {
    const auto clocks =
        load.team ? clocks_of(*load.team) : std::vector{GpuClock{"", load.clock_mhz, device.max_clock_mhz}};
    if (const auto warning = low_clock_warning(clocks)) {
        warnings.push_back(*warning);
    }
    if (const auto tool = slowing_tool()) {
        warnings.push_back(fmt::format("launches take longer under {}: the rate means nothing", *tool));
    }
    if (sharers > 1) {
        warnings.push_back(fmt::format("{} ranks share one GPU: the rate means nothing", sharers));
    }
    if (wants_power && !load.power_w) {
        warnings.push_back("no power figures: NVML reports no energy for this GPU");
    }
}

/// A pooled run does a fixed amount of work: no further launches to measure the power, which takes a second. A whole call
/// has none of its own, and a run of less than a second shall not last longer for it.
bool wants_power(const Options& options) { return !options.pooled() && !options.whole_calls && options.max_time >= 1; }

bool works_on_host(const Step& step) {
    return std::any_of(step.phases, step.phases + phases_of(step),
                       [](const Phase& phase) { return phase.on != On::stream; });
}

/// The common part of one GPU and several: the record.
class Gpus : public Backend {
 public:
    explicit Gpus(const GpuRun& run) : run_(run) {}

    Context complete(Run& run, const Measurement& measurement) override;

 protected:
    const GpuRun& gpu_run() const { return run_; }

 private:
    /// Clock and power. Measures the power only if `launch_ms`, the time of a launch shared by all GPUs, is given.
    virtual GpuLoad load(std::optional<double> launch_ms) = 0;

    GpuRun run_;
};

Context Gpus::complete(Run& run, const Measurement& m) {
    const auto& [step, options, work, device, sharers, rehearsed_blocks] = run_;
    const GpuLoad load = this->load(wants_power(options) ? std::optional(summarize(m.ms).median) : std::nullopt);
    run.gpu = {work.shape.blocks, kernel_facts(step, work.shape.threads, device), load.clock_mhz, load.power_w,
               rehearsed_blocks};
    if (load.team) {
        run.team = TeamSide{options.scaling, *load.team};
    }
    const Context context = gpu_context(device);
    add_gpu_warnings(run.warnings, load, *context.device, wants_power(options), sharers);
    if (run.team && run.team->report.members.size() > 1 && works_on_host(step)) {
        run.warnings.push_back(
            "a part of each launch runs on the host, whose cores the GPUs share: the rate is an upper bound");
    }
    return context;
}

class OneGpu : public Gpus {
 public:
    OneGpu(const GpuRun& run, Tally& tally)
        : Gpus(run), runner_(run.step, run.work, [&](auto counts) { tally.add(counts); }) {}

    BatchTime time(std::uint64_t first, unsigned launches) override { return runner_.time(first, launches); }
    void end_warm_up() override { runner_.discard_clocks(); }

 private:
    GpuLoad load(std::optional<double> launch_ms) override {
        const auto power = launch_ms ? power_of(runner_, gpu_run().device, *launch_ms) : std::nullopt;
        return {runner_.sm_clock_mhz(), power, std::nullopt};
    }

    GpuRunner runner_;
};

class WholeCalls : public Gpus {
 public:
    WholeCalls(const GpuRun& run, Tally& tally) : Gpus(run), tally_(tally) {}

    BatchTime time(std::uint64_t first, unsigned launches) override {
        BatchTime all;
        for (unsigned i = 0; i < launches; i++) {
            all += whole_call(gpu_run().step, gpu_run().work, first + i, stream_,
                              [&](auto counts) { tally_.add(counts); });
        }
        return all;
    }

 private:
    GpuLoad load(std::optional<double>) override { return {}; }

    Tally& tally_;
    Stream stream_;
};

class SeveralGpus : public Gpus {
 public:
    SeveralGpus(const GpuRun& run, std::unique_ptr<Workers> workers, Tally& tally)
        : Gpus(run), team_(std::move(workers)), tally_(tally) {}

    unsigned workers() const override { return team_.size(); }
    BatchTime time(std::uint64_t first, unsigned launches) override { return team_.time(first, launches, tally_); }
    void end_warm_up() override { team_.settle(); }
    unsigned side_by_side(unsigned most) const override { return team_.side_by_side(most); }

 private:
    GpuLoad load(std::optional<double> launch_ms) override;

    Team team_;
    Tally& tally_;
};

std::optional<double> median_clock(const std::vector<TeamMember>& members) {
    std::vector<double> clocks;
    for (const TeamMember& member : members) {
        if (member.sm_clock_mhz) clocks.push_back(*member.sm_clock_mhz);
    }
    return clocks.empty() ? std::nullopt : std::optional(summarize(clocks).median);
}

/// Empty unless known for every GPU.
std::optional<double> power_of_all(const std::vector<TeamMember>& members) {
    double all = 0;
    for (const TeamMember& member : members) {
        if (!member.power_w) return std::nullopt;
        all += *member.power_w;
    }
    return all;
}

GpuLoad SeveralGpus::load(std::optional<double> launch_ms) {
    if (launch_ms) {
        team_.measure_power(*launch_ms * workers());
    }
    const TeamReport report = team_.report();
    return {median_clock(report.members), power_of_all(report.members), report};
}

}  // namespace

Context gpu_context(int device) {
    const auto nvml = Nvml::open(device);
    return {utc_now(), build_info(), host_facts(), device_facts(device), driver_text(nvml.get()), runtime_version()};
}

std::unique_ptr<Backend> on_one_gpu(const GpuRun& run, Tally& tally) { return std::make_unique<OneGpu>(run, tally); }

std::unique_ptr<Backend> in_whole_calls(const GpuRun& run, Tally& tally) {
    return std::make_unique<WholeCalls>(run, tally);
}

std::unique_ptr<Backend> on_gpus(const GpuRun& run, std::unique_ptr<Workers> workers, Tally& tally) {
    return std::make_unique<SeveralGpus>(run, std::move(workers), tally);
}

}  // namespace bench
