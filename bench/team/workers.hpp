// Several workers that run launches at the same time: threads of this process, or processes.
#pragma once

#include <span>
#include <vector>

#include "bench/team/worker.hpp"

namespace bench {

/// Time of a batch that workers shared.
struct SharedTime {
    double wall_ms;                 // from the moment all were ready until all counts were added up
    std::vector<BatchTime> member;  // of each worker, on its own clock; 0 of one without a share
};

/// One of the workers, for the report.
struct MemberFacts {
    WorkerFacts worker;
    std::optional<int> rank;  // of its process, where there are several
    std::string host;
};

/// Workers that run launches at the same time. Where one fails the others finish, and then its error is thrown, naming it.
class Workers {
 public:
    virtual ~Workers() = default;

    virtual unsigned size() const = 0;
    virtual std::vector<MemberFacts> facts() = 0;

    /// Runs the share of each worker, all at once, and adds their counts to `tally`.
    virtual SharedTime run(std::span<const Share> shares, Tally& tally) = 0;

    /// Of each worker, as Worker has them. Powers are measured at the same time.
    virtual void discard_clocks() = 0;
    virtual std::vector<std::optional<double>> clocks_mhz() = 0;
    virtual std::vector<std::optional<double>> powers_w(double launch_ms) = 0;
};

}  // namespace bench
