// Workers that run launches at the same time, on threads of this process or in several processes. A team shares launches
// among them by their speed, and records their times.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bench/tally.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/world.hpp"

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

    // As in Worker, for each. Powers are measured simultaneously.
    virtual void start_anew() = 0;
    virtual std::vector<Clocks> clocks() = 0;
    virtual std::vector<std::optional<double>> powers_w(double launch_ms) = 0;
    virtual std::vector<Audit> audits() = 0;
};

/// Splits `launches` among workers of these speeds (launches per unit of time, positive), so that the last worker
/// finishes as early as possible. Splits equally if no speed is more than 5 % below the highest.
std::vector<unsigned> shares_by_speed(unsigned launches, std::span<const double> speeds);

/// Smallest number of launches, up to `most`, that keeps workers of these speeds busy for 98 % of the time. If there is
/// none, the number that keeps them busiest. At least one per worker, and exactly that if all are equally fast.
unsigned launches_side_by_side(std::span<const double> speeds, unsigned most);

/// Workers that share the launches of a run.
class Team {
 public:
    explicit Team(std::unique_ptr<Workers> workers);

    unsigned size() const { return workers_->size(); }

    /// Runs launches `first`, `first` + 1, ..., and returns the time of the slowest worker.
    BatchTime time(std::uint64_t first, unsigned launches, Tally& tally);

    /// Ends the warm-up and discards its times. From now on, shares follow the speeds that it showed.
    void settle();

    /// See launches_side_by_side.
    unsigned side_by_side(unsigned most) const { return launches_side_by_side(speeds_, most); }

    /// Measures the power of each worker while all are busy, for the report.
    void measure_power(double launch_ms);

    /// Replays some of the timed launches of each worker. Throws VerdictError.
    void audit() { audits_ = workers_->audits(); }
    const std::vector<Audit>& audits() const { return audits_; }

    /// The workers, with what they did.
    std::vector<Member> members();

    /// Times until all workers were done, per launch, one for each timing.
    const std::vector<double>& wall_ms() const { return wall_ms_; }

 private:
    void note(std::span<const unsigned> shares, const SharedTime& time, unsigned launches);

    std::unique_ptr<Workers> workers_;
    std::vector<double> speeds_;                  // of each worker, in launches per millisecond
    std::vector<std::vector<double>> member_ms_;  // of each worker, per launch, for each timing in which it had a share
    std::vector<std::uint64_t> member_launches_;
    std::vector<double> wall_ms_;
    std::vector<std::optional<double>> powers_w_;
    std::vector<Audit> audits_;
};

/// Runs each worker on a separate host thread, and a single one on the calling thread.
std::unique_ptr<Workers> on_threads(std::vector<std::unique_ptr<Worker>> workers);

/// The workers of all processes, commanded by rank 0. `mine` is rank 0's own worker. The other ranks call serve(),
/// which returns when the object is destroyed.
std::unique_ptr<Workers> on_ranks(World& world, std::unique_ptr<Worker> mine);

/// Executes the commands of rank 0 until it dismisses this process. Launches have the estimand and specification of `tally`.
void serve(World& world, Worker& mine, const Tally& tally);

}  // namespace bench
