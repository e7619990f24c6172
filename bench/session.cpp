#include "bench/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "bench/checked.hpp"
#include "bench/interrupt.hpp"
#include "bench/progress_line.hpp"
#include "bench/result_file.hpp"

namespace bench {
namespace {

constexpr std::uint64_t max_samples = std::uint64_t{1} << 63;

/// One line on stderr; where even that cannot be written there is nobody to tell.
void say(const std::string& program, const std::string& text) {
    std::fputs(fmt::format("{}: {}\n", program, text).c_str(), stderr);
}

/// To stdout; to stderr where stdout is for JSON and nothing else.
void write_beside_json(const Options& options, const std::string& text) {
    if (options.json == "-") {
        std::fputs(text.c_str(), stderr);
    } else {
        write_stdout(text);
    }
}

/// Follows a measurement: shows its progress, and knows how far it came.
class Follower {
 public:
    Follower(const Task& task, const Tally& tally, std::optional<std::uint64_t> all_launches)
        : task_(task), tally_(tally), all_launches_(all_launches), line_(task.options.quiet) {}

    /// The warm-up is over.
    void start() { start_ = monotonic_seconds(); }
    void follow(const Measurement& so_far) {
        launches_ = so_far.launches;
        line_.show([&] { return text(so_far); });
    }
    void clear() { line_.clear(); }

    /// Launches timed.
    std::uint64_t launches() const { return launches_; }

 private:
    std::string text(const Measurement& so_far) const {
        if (!all_launches_) {
            return progress_text(task_.subject.version, task_.samples_per_launch, so_far);
        }
        const std::uint64_t all_samples = *all_launches_ * task_.samples_per_launch;
        const Subject& subject = task_.subject;
        return progress_text({tally_.outcome(), all_samples, so_far.timed_ms, monotonic_seconds() - start_,
                              uncertainty(subject.independent, tally_.spread(subject.expected))},
                             subject.expected);
    }

    const Task& task_;
    const Tally& tally_;
    std::optional<std::uint64_t> all_launches_;  // of a pooled run
    ProgressLine line_;
    double start_ = 0;
    std::uint64_t launches_ = 0;
};

}  // namespace

int guarded(const std::string& program, const std::function<void()>& body) {
    catch_interrupts();
    try {
        body();
        return exit_done;
    } catch (const Error& error) {
        say(program, error.what());
        return error.code();
    } catch (const std::bad_alloc&) {
        say(program, "out of memory: the counts of so large a grid do not fit");
        return exit_usage;
    } catch (const std::exception& error) {
        say(program, error.what());
        return exit_machine;
    }
}

std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters, std::uint64_t points_of_set) {
    const auto samples = checked_product(streams, iters);
    if (!samples || *samples > max_samples) {
        throw UsageError(fmt::format("a launch of {} streams of {} samples passes 2^63 samples", streams, iters));
    }
    if (points_of_set != 0 && *samples > points_of_set) {
        throw UsageError(fmt::format("a launch of {} streams of {} samples passes the {} points that there are",
                                     streams, iters, points_of_set));
    }
    return *samples;
}

void require_enough_units(const std::string& asked, std::uint64_t launches, Independent independent,
                          const Units& units) {
    if (launches >= least_launches(independent, units)) {
        return;
    }
    const std::string launch_count = fmt::format("{} launch{}", launches, launches == 1 ? "" : "es");
    throw UsageError(
        independent == Independent::launches
            ? fmt::format("{}: {} cannot be judged: each is one scrambling, and an error estimate needs at least {}",
                          asked, launch_count, least_units)
            : fmt::format("{}: {} of {} block{} cannot be judged: an error estimate needs at least {} blocks in all",
                          asked, launch_count, units.per_launch, units.per_launch == 1 ? "" : "s", least_units));
}

StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch, Independent independent,
                           const Units& units) {
    StoppingRule rule;
    rule.min_timings = std::max<std::size_t>(rule.min_timings, least_launches(independent, units));
    rule.max_seconds = options.max_time;
    rule.launches = options.launches;
    if (options.samples) {
        rule.launches = (*options.samples - 1) / samples_per_launch + 1;
    }
    const auto samples = checked_product(rule.launches.value_or(1), samples_per_launch);
    if (!samples || *samples > max_samples) {
        throw UsageError(
            fmt::format("{} launches of {} samples pass 2^63 samples", *rule.launches, samples_per_launch));
    }
    if (rule.launches) {
        require_enough_units(options.samples ? "--samples" : "--launches", *rule.launches, independent, units);
    }
    return rule;
}

Measurement measure_with_progress(const Task& task, Tally& tally, const TimeBatch& time_batch,
                                  const std::function<void()>& discard) {
    const StoppingRule rule =
        stopping_rule(task.options, task.samples_per_launch, task.subject.independent, task.units);
    Follower follower(task, tally, rule.launches);
    const TimeBatch interruptible = [&](std::uint64_t first, unsigned launches) {
        throw_if_interrupted();
        return time_batch(first, launches);
    };
    const auto end_warm_up = [&] {
        tally.discard();
        discard();
        follower.start();
    };
    const OnTiming on_timing = [&](const Measurement& so_far) { follower.follow(so_far); };
    try {
        Measurement m = measure(rule, interruptible, end_warm_up, on_timing, monotonic_seconds);
        throw_if_interrupted();
        return m;
    } catch (const Interrupted&) {
        follower.clear();
        end_interrupted(task, tally.outcome(), tally.spread(task.subject.expected), follower.launches(),
                        rule.launches.value_or(0));
    }
}

void judge_so_far(const Subject& subject, const Outcome& outcome, const std::optional<Spread>& spread) {
    if (const auto chance = uncertainty(subject.independent, spread)) {
        judge(outcome, subject.expected, *chance);
    } else {
        judge_coarsely(outcome, subject.expected, subject.independent);
    }
}

void end_interrupted(const Task& task, const Outcome& outcome, const std::optional<Spread>& spread,
                     std::uint64_t launches, std::uint64_t all_launches) {
    if (!task.options.pooled() || launches == 0) {
        throw Interrupted();
    }
    judge_so_far(task.subject, outcome, spread);
    if (!task.options.quiet) {
        write_beside_json(task.options, interrupted_text(task.subject, outcome, spread, launches, all_launches));
    }
    throw Interrupted(fmt::format("interrupted after {} of {} launches, no result written", grouped(launches),
                                  grouped(all_launches)));
}

std::optional<std::vector<Outcome>> trace_of(const Options& options, const Tally& tally) {
    return options.pooled() ? std::optional(tally.trace()) : std::nullopt;
}

std::vector<std::string> warnings_of(const Measurement& m) {
    std::vector<std::string> warnings = m.warnings;
    if (!summarize(m.ms).interval_is_95) {
        const bool one = m.ms.size() == 1;
        warnings.push_back(fmt::format("{} timing{} give{} no 95 % interval (6 do): the range stands in for it",
                                       m.ms.size(), one ? "" : "s", one ? "s" : ""));
    }
    if (const std::string debug = debug_build_warning(); !debug.empty()) {
        warnings.push_back(debug);
    }
    return warnings;
}

void publish(const Task& task, const Context& context, const Run& run) {
    if (interrupted()) {
        end_interrupted(task, run.outcome, run.spread, run.launches, run.launches);
    }
    const Options& options = task.options;
    const Subject& subject = run.subject;
    require_enough_units("--max-time", run.launches, subject.independent, task.units);
    const auto chance = uncertainty(subject.independent, run.spread);
    if (!chance) {
        throw VerdictError("the spread of the hits is not known");
    }
    judge(run.outcome, subject.expected, *chance);
    if (options.json == "-") {
        write_stdout(to_json(context, run));
    } else {
        if (!options.json.empty()) {
            write_result(options.json, to_json(context, run));
        }
        if (!options.quiet) {
            write_stdout(to_text(context, run));
        }
    }
    for (const auto& warning : run.warnings) {  // last: a failure to write is one line alone
        say(task.program, "warning: " + warning);
    }
}

}  // namespace bench
