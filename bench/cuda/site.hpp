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

    /// Power in watts, of all GPUs together; `launch_ms` is the time of a launch, shared by all.
    virtual std::optional<double> power_w(double launch_ms) = 0;

    /// Median clock of the GPUs, in MHz.
    virtual std::optional<double> clock_mhz() = 0;

    /// Of several GPUs, each on its own.
    virtual std::optional<TeamReport> report() { return std::nullopt; }
};

/// The current device, which is `device`, to itself. Counts go to `tally`.
std::unique_ptr<Site> on_one_gpu(const Version& version, const Job& job, int device, Tally& tally);

/// GPUs that share launches. Counts go to `tally`.
std::unique_ptr<Site> on_gpus(std::unique_ptr<Workers> workers, Tally& tally);

}  // namespace bench
