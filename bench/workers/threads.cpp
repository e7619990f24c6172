#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <future>
#include <type_traits>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "bench/workers/team.hpp"

namespace bench {
namespace {

/// Calls f(i) for each i in [0, n), on one thread each, and returns the results. Waits for all before it throws the
/// first error.
template <typename F>
auto on_each_thread(std::size_t n, F f) {
    using Result = std::invoke_result_t<F, std::size_t>;
    std::vector<std::future<Result>> futures;
    std::promise<bool> started;  // whether all threads started: they wait for each other, so none begins unless all can
    const auto all_started = started.get_future().share();
    try {
        for (std::size_t i = 0; i < n; i++) {
            futures.push_back(std::async(std::launch::async, [=] { return all_started.get() ? f(i) : Result{}; }));
        }
    } catch (const std::exception&) {
        started.set_value(false);
        throw;
    }
    started.set_value(true);
    for (auto& future : futures) {
        future.wait();
    }
    std::vector<Result> results;
    for (auto& future : futures) {
        results.push_back(future.get());
    }
    return results;
}

/// Calls `f`. Puts the worker's name in front of an error.
template <typename F>
auto named(const Worker& worker, F f) {
    try {
        return f();
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception& exception) {
        const Error error = as_error(exception);
        const Member own = worker.identity();
        const std::string name = own.device ? fmt::format("device {} ({})", *own.device, own.name) : own.name;
        throw Error(error.code(), fmt::format("{}: {}", name, error.what()));
    }
}

class ThreadWorkers : public Workers {
 public:
    explicit ThreadWorkers(std::vector<std::unique_ptr<Worker>> workers) : workers_(std::move(workers)) {}

    unsigned size() const override { return static_cast<unsigned>(workers_.size()); }
    std::vector<Member> identities() override {
        std::vector<Member> members;
        for (const auto& worker : workers_) {
            members.push_back(worker->identity());
            members.back().host = host_name();
        }
        return members;
    }
    SharedTime run(std::span<const Share> shares, Tally& tally) override;
    void start_anew() override {
        for (const auto& worker : workers_) worker->start_anew();
    }
    std::vector<Clocks> clocks() override {
        std::vector<Clocks> clocks;
        for (const auto& worker : workers_) clocks.push_back(worker->clocks());
        return clocks;
    }
    std::vector<std::optional<double>> powers_w(double launch_ms) override {
        if (size() == 1) return {workers_[0]->power_w(launch_ms)};
        return on_each_thread(size(), [&](std::size_t i) {
            return named(*workers_[i], [&] { return workers_[i]->power_w(launch_ms); });
        });
    }
    /// One after the other: each needs all cores.
    std::vector<Audit> audits() override {
        std::vector<Audit> audits;
        for (const auto& worker : workers_) {
            audits.push_back(size() == 1 ? worker->audit() : named(*worker, [&] { return worker->audit(); }));
        }
        return audits;
    }

 private:
    SharedTime run_together(std::span<const Share> shares, Tally& tally);

    std::vector<std::unique_ptr<Worker>> workers_;
};

CountSink into(Tally& tally) {
    return [&tally](std::span<const Count> counts) { tally.add(counts); };
}

/// A single worker runs on the calling thread, and each of its launches has its own point in the trace.
SharedTime ThreadWorkers::run(std::span<const Share> shares, Tally& tally) {
    if (size() > 1) return run_together(shares, tally);
    workers_[0]->get_ready(shares[0].launches);
    const double start = monotonic_seconds();
    const BatchTime time = workers_[0]->run(shares[0], into(tally));
    return {(monotonic_seconds() - start) * 1e3, {time}};
}

SharedTime ThreadWorkers::run_together(std::span<const Share> shares, Tally& tally) {
    double start = 0;
    std::barrier all_ready(static_cast<std::ptrdiff_t>(size()), [&]() noexcept { start = monotonic_seconds(); });
    std::vector<double> ends(size(), 0);  // when the work ended; threads end later
    std::vector<Tally> parts(size(), tally.empty());
    const auto work = [&](std::size_t i) {
        return named(*workers_[i], [&]() -> BatchTime {
            try {
                workers_[i]->get_ready(shares[i].launches);
            } catch (...) {
                all_ready.arrive_and_drop();
                throw;
            }
            all_ready.arrive_and_wait();
            const auto time = shares[i].launches > 0 ? workers_[i]->run(shares[i], into(parts[i])) : BatchTime{};
            ends[i] = monotonic_seconds();
            return time;
        });
    };
    const auto times = on_each_thread(size(), work);
    Tally all = tally.empty();
    for (const Tally& part : parts) all.add(part);
    tally.add(all);  // in one step, so that the trace does not depend on the number of workers
    return {(*std::max_element(ends.begin(), ends.end()) - start) * 1e3, times};
}

}  // namespace

std::unique_ptr<Workers> on_threads(std::vector<std::unique_ptr<Worker>> workers) {
    return std::make_unique<ThreadWorkers>(std::move(workers));
}

}  // namespace bench
