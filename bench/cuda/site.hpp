// Where the launches of a run happen: on one GPU, or on several that share them.
#pragma once

#include <memory>
#include <optional>

#include "bench/contract.hpp"
#include "bench/team/team.hpp"

namespace bench {

/// What a run works on, settled before anything is launched; the same in all its processes.
struct Job {
    Shape shape;
    unsigned iters;
    std::uint64_t seed;
    std::uint64_t samples_per_launch;
    Units units;
};

/// What launches did to the GPUs.
struct GpuLoad {
    std::optional<double> clock_mhz;  // of several GPUs, the median
    std::optional<double> power_w;    // of several GPUs, the sum
    std::optional<TeamReport> team;   // of several GPUs, each on its own
};

/// Runs launches, and knows what is to be told of the GPUs when they are done.
class Site {
 public:
    virtual ~Site() = default;
    virtual unsigned gpus() const { return 1; }

    /// Time of launches `first`, `first` + 1, ...
    virtual BatchTime time(std::uint64_t first, unsigned launches) = 0;
    virtual void end_warm_up() = 0;

    /// As SideBySide has it.
    virtual unsigned side_by_side(unsigned /*most*/) const { return 1; }

    /// Measures the power as well if `launch_ms` is given, the time of a launch, shared by all GPUs.
    virtual GpuLoad load(std::optional<double> launch_ms) = 0;
};

/// The current device, which is `device`, to itself. Counts go to `tally`.
std::unique_ptr<Site> on_one_gpu(const Version& version, const Job& job, int device, Tally& tally);

/// GPUs that share launches. Counts go to `tally`.
std::unique_ptr<Site> on_gpus(std::unique_ptr<Workers> workers, Tally& tally);

}  // namespace bench
