#include "bench/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "bench/checked.hpp"
#include "bench/interrupt.hpp"
#include "bench/progress_line.hpp"
#include "bench/result_file.hpp"
#include "bench/team/world.hpp"
#include "bench/verdict.hpp"

namespace bench {
namespace {

constexpr std::uint64_t max_samples = std::uint64_t{1} << 63;

/// To stdout; to stderr where stdout is for JSON and nothing else.
void write_beside_json(const Options& options, const std::string& text) {
    if (options.json == "-") {
        std::fputs(text.c_str(), stderr);
    } else {
        write_stdout(text);
    }
}

/// Follows a measurement: shows its progress, saves it, and knows how far it came.
class Follower {
 public:
    Follower(const Task& task, Tally& tally, const StoppingRule& rule)
        : task_(task), tally_(tally), rule_(rule), line_(task.options.quiet), launches_(rule.done) {
        start();
    }

    /// The warm-up is over: what counts begins, where an earlier part of the run ended.
    void start() {
        tally_.discard();
        if (task_.saver) {
            tally_.restore(task_.saver->start().tally);
        }
        start_ = monotonic_seconds();
    }
    void follow(const Measurement& so_far) {
        launches_ = rule_.done + so_far.launches;
        line_.show([&] { return text(so_far); });
        if (task_.saver && launches_ < *rule_.launches) save();
    }

    void clear() { line_.clear(); }

    /// Launches done, those of an earlier part of the run included.
    std::uint64_t launches() const { return launches_; }

 private:
    void save() {
        if (task_.saver->due()) line_.clear();  // in case of a warning
        task_.saver->save_if_due(launches_, tally_);
    }

    std::string text(const Measurement& so_far) const {
        if (!rule_.launches) {
            return progress_text(task_.subject.version, task_.samples_per_launch, so_far);
        }
        const std::uint64_t all_samples = *rule_.launches * task_.samples_per_launch;
        return progress_text({tally_.outcome(), all_samples, so_far.timed_ms, monotonic_seconds() - start_,
                              uncertainty(tally_.law(), tally_.spread()), rule_.done * task_.samples_per_launch},
                             tally_.law().expected);
    }

    const Task& task_;
    Tally& tally_;
    const StoppingRule& rule_;
    ProgressLine line_;
    double start_ = 0;
    std::uint64_t launches_;
};

}  // namespace

void say(const std::string& program, const std::string& text) {
    std::fputs(fmt::format("{}: {}\n", program, text).c_str(), stderr);  // where that fails there is nobody to tell
}

int guarded(const std::string& program, const std::function<void()>& body) {
    catch_interrupts();
    try {
        body();
        return exit_done;
    } catch (const Dismissed& dismissed) {
        return dismissed.code;
    } catch (const std::exception& exception) {
        const Error error = as_error(exception);
        say(program, error.what());
        return error.code();
    }
}

std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters, std::uint64_t points_of_set) {
    const auto samples = checked_product(streams, iters);
    if (!samples || *samples > max_samples) {
        throw UsageError(fmt::format("a launch of {} streams of {} samples exceeds 2^63 samples", streams, iters));
    }
    if (points_of_set != 0 && *samples > points_of_set) {
        throw UsageError(fmt::format("a launch of {} streams of {} samples exceeds the {} points of the set", streams,
                                     iters, points_of_set));
    }
    return *samples;
}

void require_enough_launches(const std::string& asked, std::uint64_t launches, Independent independent) {
    if (launches < least_launches(independent)) {
        throw UsageError(fmt::format(
            "{}: {} launch{} cannot be judged: each is one scrambling, and an error estimate needs at least {}", asked,
            launches, launches == 1 ? "" : "es", least_units));
    }
}

StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch, Independent independent,
                           unsigned gpus) {
    const unsigned times = options.scaling == Scaling::weak ? gpus : 1;
    StoppingRule rule;
    rule.max_seconds = options.max_time;
    if (options.batch) {
        const auto batch = checked_product(*options.batch, times);
        if (!batch || *batch > UINT_MAX) {
            throw UsageError(fmt::format("--batch: {} times {} launches are too many at once", times, *options.batch));
        }
        rule.batch = static_cast<unsigned>(*batch);
    }
    if (options.pooled()) {
        const std::uint64_t each =
            options.launches.value_or((options.samples.value_or(1) - 1) / samples_per_launch + 1);
        const auto launches = checked_product(each, times);
        const auto samples = checked_product(launches.value_or(UINT64_MAX), samples_per_launch);
        if (!samples || *samples > max_samples) {
            throw UsageError(fmt::format("{} launches of {} samples exceed 2^63 samples",
                                         times == 1 ? std::to_string(each) : fmt::format("{} times {}", times, each),
                                         samples_per_launch));
        }
        rule.launches = launches;
    }
    if (rule.launches) {
        require_enough_launches(options.samples ? "--samples" : "--launches", *rule.launches, independent);
    }
    return rule;
}

namespace {

StoppingRule rule_of(const Task& task) {
    StoppingRule rule = stopping_rule(task.options, task.samples_per_launch, task.subject.law.independent, task.gpus);
    if (task.saver) {
        rule.launches = task.saver->start().launches;
        rule.done = task.saver->start().launches_done;
        // A save between timings comes in time if it need not wait for a long one.
        rule.longest_timing_ms = std::min(rule.longest_timing_ms, 1e3 * task.options.checkpoint_every / 4);
    }
    return rule;
}

}  // namespace

Measurement measure_with_progress(const Task& task, Tally& tally, const TimeBatch& time_batch,
                                  const std::function<void()>& discard, const SideBySide& side_by_side) {
    const StoppingRule rule = rule_of(task);
    Follower follower(task, tally, rule);
    if (rule.done > 0) judge_all(tally, rule.done);  // more launches must not cover up what was refused
    if (rule.launches == rule.done) {
        return {};
    }
    const TimeBatch interruptible = [&](std::uint64_t first, unsigned launches) {
        throw_if_interrupted();
        return time_batch(first, launches);
    };
    bool warm = false;
    const auto end_warm_up = [&] {
        discard();
        follower.start();
        warm = true;
    };
    const OnTiming on_timing = [&](const Measurement& so_far) { follower.follow(so_far); };
    try {
        Measurement m = measure(rule, interruptible, end_warm_up, on_timing, monotonic_seconds, side_by_side);
        throw_if_interrupted();
        if (task.saver) task.saver->save(follower.launches(), tally);
        return m;
    } catch (const Interrupted&) {
        follower.clear();
        if (!warm) follower.start();  // forgets the launches of the warm-up
        if (task.saver) task.saver->save(follower.launches(), tally);
        end_interrupted(task, tally, follower.launches(), rule.launches.value_or(0));
    }
}

void judge_all(const Tally& tally, std::uint64_t launches) {
    if (tally.launch_hits().count != launches) {
        throw VerdictError(fmt::format("{} of {} launches were counted", tally.launch_hits().count, launches));
    }
    judge(tally);
}

void tell_interrupted(const Task& task, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches) {
    if (launches == 0) {
        return;
    }
    judge_all(tally, launches);
    if (!task.options.quiet) {
        write_beside_json(task.options,
                          interrupted_text(task.subject, tally.outcome(), tally.spread(), launches, all_launches));
    }
}

void end_interrupted(const Task& task, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches) {
    const bool nothing_to_tell = launches == 0 && !task.saver;
    if (!task.options.pooled() || nothing_to_tell) {
        throw Interrupted(interrupt_code());
    }
    tell_interrupted(task, tally, launches, all_launches);
    if (task.saver && task.saver->failure()) {
        throw WriteError("interrupted, and " + *task.saver->failure());
    }
    throw Interrupted(interrupt_code(),
                      fmt::format("interrupted after {} of {} launches, {}", grouped(launches), grouped(all_launches),
                                  task.saver ? "saved to " + task.saver->path() : "no result written"));
}

std::optional<std::uint64_t> resumed_from(const Task& task) {
    const bool has_earlier_part = task.saver && task.saver->start().launches_done > 0;
    return has_earlier_part ? std::optional(task.saver->start().launches_done) : std::nullopt;
}

std::optional<std::vector<Outcome>> trace_of(const Options& options, const Tally& tally) {
    return options.pooled() ? std::optional(tally.trace()) : std::nullopt;
}

std::vector<std::string> warnings_of(const Task& task, const Measurement& m, std::uint64_t samples) {
    std::vector<std::string> warnings = m.warnings;
    const double cycle = task.subject.cycle_samples;
    if (task.options.pooled() && static_cast<double>(samples) > cycle) {
        warnings.push_back(fmt::format(
            "the whole cycle of the generator is {:.3g} samples, and this run took {:.3g}: its streams overlap", cycle,
            static_cast<double>(samples)));
    }
    if (task.saver && task.saver->failure()) {
        warnings.push_back(*task.saver->failure() + "; it holds less than was done");
    }
    if (!m.ms.empty() && !summarize(m.ms).interval_is_95) {
        const bool one = m.ms.size() == 1;
        warnings.push_back(fmt::format("{} timing{} give{} no 95 % interval, which takes 6: the range is given instead",
                                       m.ms.size(), one ? "" : "s", one ? "s" : ""));
    }
    if (const std::string debug = debug_build_warning(); !debug.empty()) {
        warnings.push_back(debug);
    }
    return warnings;
}

Run run_of(const Task& task, std::uint64_t seed, unsigned threads, unsigned iters, const Measurement& m,
           const Tally& tally) {
    Run run = {};
    run.subject = task.subject;
    run.seed = seed;
    run.threads = threads;
    run.iters = iters;
    run.samples_per_launch = task.samples_per_launch;
    run.launches = resumed_from(task).value_or(0) + m.launches;
    run.batch = m.batch;
    run.kernel_ms = m.ms;
    run.outcome = tally.outcome();
    run.trace = trace_of(task.options, tally);
    run.spread = tally.spread();
    run.warnings = warnings_of(task, m, run.outcome.samples);
    run.resumed_from = resumed_from(task);
    return run;
}

void publish(const Task& task, const Context& context, const Run& run, const Tally& tally) {
    if (interrupted()) {
        end_interrupted(task, tally, run.launches, run.launches);
    }
    const Options& options = task.options;
    require_enough_launches("--max-time", run.launches, tally.law().independent);
    judge_all(tally, run.launches);
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
