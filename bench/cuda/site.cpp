#include "bench/cuda/site.hpp"

#include "bench/cuda/gpu_worker.hpp"
#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

class OneGpu : public Site {
 public:
    OneGpu(const Version& version, const Job& job, int device, Tally& tally)
        : device_(device), runner_(version, job.shape, job.iters, job.seed, [&](auto counts) { tally.add(counts); }) {}

    BatchTime time(std::uint64_t first, unsigned launches) override { return runner_.time(first, launches); }
    void end_warm_up() override { runner_.discard_clocks(); }
    GpuLoad load(std::optional<double> launch_ms) override {
        const auto power = launch_ms ? power_of(runner_, device_, *launch_ms) : std::nullopt;
        return {runner_.sm_clock_mhz(), power, std::nullopt};
    }

 private:
    int device_;
    GpuRunner runner_;
};

class Gpus : public Site {
 public:
    Gpus(std::unique_ptr<Workers> workers, Tally& tally) : team_(std::move(workers)), tally_(tally) {}

    unsigned gpus() const override { return team_.size(); }
    BatchTime time(std::uint64_t first, unsigned launches) override { return team_.time(first, launches, tally_); }
    void end_warm_up() override { team_.settle(); }
    unsigned side_by_side(unsigned most) const override { return team_.side_by_side(most); }
    GpuLoad load(std::optional<double> launch_ms) override;

 private:
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

/// Nothing where it is not known of every one.
std::optional<double> power_of_all(const std::vector<TeamMember>& members) {
    double all = 0;
    for (const TeamMember& member : members) {
        if (!member.power_w) return std::nullopt;
        all += *member.power_w;
    }
    return all;
}

GpuLoad Gpus::load(std::optional<double> launch_ms) {
    if (launch_ms) {
        team_.measure_power(*launch_ms * gpus());
    }
    const TeamReport report = team_.report();
    return {median_clock(report.members), power_of_all(report.members), report};
}

}  // namespace

std::unique_ptr<Site> on_one_gpu(const Version& version, const Job& job, int device, Tally& tally) {
    return std::make_unique<OneGpu>(version, job, device, tally);
}

std::unique_ptr<Site> on_gpus(std::unique_ptr<Workers> workers, Tally& tally) {
    return std::make_unique<Gpus>(std::move(workers), tally);
}

}  // namespace bench
