// Workers that run launches at the same time, on threads of this process or in several processes.
#pragma once

#include <span>
#include <vector>

#include "bench/tally.hpp"
#include "bench/workers/worker.hpp"

namespace bench {

/// Times of a batch that workers shared.
struct SharedTime {
    double wall_ms;                 // from when all were ready until all counts were added
    std::vector<BatchTime> member;  // of each worker, on its own clock; 0 without a share
};

/// Workers that run launches at the same time. If one fails, the others finish, and then its error is thrown with its
/// name.
class Workers {
 public:
    virtual ~Workers() = default;

    virtual unsigned size() const = 0;

    /// Who they are: their names, and where they run.
    virtual std::vector<Member> identities() = 0;

    /// Runs the share of each worker, all at once, and adds their counts to `tally`.
    virtual SharedTime run(std::span<const Share> shares, Tally& tally) = 0;

    /// The same functions as in Worker, for each worker. Powers are measured simultaneously.
    virtual void start_anew() = 0;
    virtual std::vector<Clocks> clocks() = 0;
    virtual std::vector<std::optional<double>> powers_w(double launch_ms) = 0;
    virtual std::vector<Audit> audits() = 0;
};

}  // namespace bench
