// Shares launches among workers by their speed, and keeps their times.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/team/workers.hpp"

namespace bench {

/// `launches` cut into a part for each of several workers of these speeds (launches per unit of time, positive), so that the
/// last to finish does so as early as can be; an equal cut where no speed is more than 5 % below the highest.
std::vector<unsigned> shares_by_speed(unsigned launches, std::span<const double> speeds);

/// Fewest launches that keep workers of these speeds busy to 98 % when each gets its share; of at most `most` (but one a
/// worker in any case), the best. One a worker where they are equally fast.
unsigned launches_side_by_side(std::span<const double> speeds, unsigned most);

/// One worker as it is reported.
struct TeamMember {
    MemberFacts facts;
    std::uint64_t launches;
    std::optional<double> launches_per_ms;  // median; nothing of one that had no launch
    std::optional<double> sm_clock_mhz;
    std::optional<double> power_w;
};

/// A team as it is reported.
struct TeamReport {
    std::vector<double> wall_ms;  // per launch, one for each timing
    std::vector<TeamMember> members;
};

/// Workers that share the launches of a run.
class Team {
 public:
    explicit Team(std::unique_ptr<Workers> workers);

    unsigned size() const { return workers_->size(); }

    /// Runs launches `first`, `first` + 1, ..., and returns the time of the slowest worker.
    BatchTime time(std::uint64_t first, unsigned launches, Tally& tally);

    /// Ends the warm-up: from now on shares follow the speeds that it showed.
    void settle();

    /// Fewest launches with which nobody idles.
    unsigned side_by_side(unsigned most) const { return launches_side_by_side(speeds_, most); }

    /// Power of each worker, all at work, from here on in the report.
    void measure_power(double launch_ms);

    TeamReport report();

 private:
    void note(std::span<const unsigned> shares, const SharedTime& time, unsigned launches);

    std::unique_ptr<Workers> workers_;
    std::vector<double> speeds_;                  // of each worker, in launches per millisecond
    std::vector<std::vector<double>> member_ms_;  // of each worker, per launch, of each timing that it had a share in
    std::vector<std::uint64_t> member_launches_;
    std::vector<double> wall_ms_;
    std::vector<std::optional<double>> powers_w_;
};

}  // namespace bench
