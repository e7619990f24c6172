// A worker whose launches are replayed on the host: some before the first timing, others after the last.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/workers/worker.hpp"

namespace bench {

/// Makes a worker for such launches of a step. Both outlive it.
using MakeWorker = std::function<std::unique_ptr<Worker>(const Step& step, const LaunchSpec& spec)>;

/// Some of many launches, each with one of its parts: the latest one, and others chosen at random, each as likely.
class KeptLaunches {
 public:
    static constexpr std::size_t most = 32;

    /// The choice follows from `entropy`. With counts, it keeps what the parts published. `replay` outlives it.
    KeptLaunches(std::uint64_t entropy, const Replay& replay, bool with_counts)
        : entropy_(entropy), random_(entropy), replay_(replay), with_counts_(with_counts) {}

    void offer(std::uint64_t launch, std::span<const Count> published);
    void forget();

    std::uint64_t offered() const { return offered_; }
    std::uint64_t entropy() const { return entropy_; }
    bool has_counts() const { return with_counts_; }

    /// The latest first, then the others in random order.
    std::vector<PartCounts> chosen() const;

 private:
    std::uint64_t entropy_;
    std::mt19937_64 random_;
    const Replay& replay_;
    bool with_counts_;
    std::uint64_t offered_ = 0;
    PartCounts latest_ = {};
    std::vector<PartCounts> others_;
};

/// The counts that launch `index` publishes on a worker, and its time in milliseconds.
std::pair<std::vector<Count>, double> published(Worker& worker, std::uint64_t index);

class CheckedWorker : public Worker {
 public:
    /// For launches of `launched`: of the step, or whole calls of it. `make` makes their worker, and others for smaller launches
    /// of the step. The steps and the specification outlive it.
    CheckedWorker(const Step& step, const Step& launched, const LaunchSpec& spec, MakeWorker make)
        : step_(step), launched_(launched), spec_(spec), make_(std::move(make)) {}

    /// Compares a short launch with its replay, in as many parts as some tenths of a second allow, and then one of the run's
    /// own size in at least one part. Where a part of that takes too long, the launch is smaller, but enters every loop of the
    /// kernel. Empty if the host cannot replay the step. Comes before all other calls. Throws VerdictError and CudaError.
    std::optional<Rehearsed> rehearse();

    Member identity() const override { return worker_->identity(); }
    void get_ready(unsigned launches) override { worker_->get_ready(launches); }
    BatchTime run(const Share& share, const CountSink& sink) override;
    void start_anew() override;
    Clocks clocks() const override { return worker_->clocks(); }
    std::optional<double> power_w(double launch_ms) override { return worker_->power_w(launch_ms); }
    Audit audit() override;

 private:
    Worker& own();
    std::optional<Replay> replay_of(double work) const;
    double brief_work() const;
    double pace_of_long_streams() const;
    Compared rehearsed(const Replay& replay, std::uint64_t most_parts, double seconds);
    double seconds_of_part(const Replay& replay) const;
    double full_work() const;
    std::uint64_t fitting(std::uint64_t n, const Replay& replay) const;
    Compared audited_as_timed(std::span<const PartCounts> chosen) const;
    Compared audited_again(std::span<const PartCounts> chosen) const;

    const Step& step_;
    const Step& launched_;
    const LaunchSpec& spec_;
    MakeWorker make_;
    std::unique_ptr<Worker> worker_;    // made when it is first needed: beside a smaller one memory may not suffice
    double making_seconds_ = 0;         // of that worker, which the run needs anyway
    double pace_ = 0, brief_pace_ = 0;  // seconds of a core to replay a unit of work, and one of a short launch
    double launch_pace_ = 0;            // seconds of the worker for a unit of work, in the launch before
    std::optional<Replay> whole_;       // of launches of the run; empty if the host cannot replay the step
    std::optional<KeptLaunches> kept_;  // likewise
};

}  // namespace bench
