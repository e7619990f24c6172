#include "bench/run/session.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "bench/errors.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/progress_line.hpp"
#include "bench/record/report.hpp"
#include "bench/record/result_file.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

/// Writes to stdout, or to stderr if stdout is reserved for JSON.
void write_beside_json(const Options& options, const std::string& text) {
    if (options.json == "-") {
        std::fputs(text.c_str(), stderr);
    } else {
        write_stdout(text);
    }
}

/// Throws VerdictError unless the tally holds this number of launches. No checkpoint is saved of a tally that does not: the
/// next part of the run would begin with another launch than it should.
void require_counted(const Tally& tally, std::uint64_t launches) {
    if (tally.launches() != launches) {
        throw VerdictError(fmt::format("{} of {} launches were counted", tally.launches(), launches));
    }
}

/// Shows the progress of a measurement, saves it, and counts its launches.
class Follower {
 public:
    Follower(const Plan& plan, Tally& tally, const StoppingRule& rule)
        : plan_(plan), tally_(tally), rule_(rule), line_(plan.options.quiet), launches_(rule.done) {
        start();
    }

    /// Starts counting, from the end of an earlier part of the run if there is one.
    void start() {
        tally_.discard();
        if (plan_.saver) {
            tally_.restore(plan_.saver->start().tally);
        }
        before_ = tally_.work_done();
        start_ = monotonic_seconds();
    }
    void follow(const Measurement& so_far) {
        launches_ = rule_.done + so_far.launches;
        require_counted(tally_, launches_);
        line_.show([&] { return text(so_far); });
        if (plan_.saver && launches_ < *rule_.launches) save();
    }

    void clear() { line_.clear(); }

    /// Launches done, including those of an earlier part of the run.
    std::uint64_t launches() const { return launches_; }

 private:
    void save() {
        if (plan_.saver->due()) line_.clear();  // so that a warning has its own line
        plan_.saver->save_if_due(tally_);
    }

    std::string text(const Measurement& so_far) const {
        const Unit unit = tally_.estimand().unit();
        if (!rule_.launches) {
            return progress_text(plan_.subject.step, unit, so_far);
        }
        const double share = static_cast<double>(launches_) / static_cast<double>(*rule_.launches);
        return progress_text({tally_.work_done(), share, before_, unit, so_far.timed_ms, monotonic_seconds() - start_,
                              tally_.estimand().estimate_so_far(tally_)});
    }

    const Plan& plan_;
    Tally& tally_;
    const StoppingRule& rule_;
    ProgressLine line_;
    std::uint64_t before_ = 0;  // work of an earlier part
    double start_ = 0;
    std::uint64_t launches_;
};

/// Judges the launches of an interrupted pooled run and prints their estimate, if there are any. Throws VerdictError.
void tell_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches) {
    if (launches == 0) {
        return;
    }
    judge_all(tally, launches);
    if (!plan.options.quiet) {
        write_beside_json(plan.options, interrupted_text(plan.subject, tally, all_launches));
    }
}

}  // namespace

Measurement measure_with_progress(const Plan& plan, Tally& tally, const TimeBatch& time_batch,
                                  const std::function<void()>& discard, const SideBySide& side_by_side) {
    const StoppingRule rule = stopping_rule(plan, tally.estimand());
    Follower follower(plan, tally, rule);
    if (rule.done > 0) judge_all(tally, rule.done);  // more launches could hide a fault that was found before
    if (rule.launches == rule.done) {
        return {};
    }
    const TimeBatch interruptible = [&](std::uint64_t first, unsigned launches) {
        throw_if_interrupted();
        const std::uint64_t before = tally.work_done();
        BatchTime time = time_batch(first, launches);
        time.work = static_cast<double>(tally.work_done() - before);
        return time;
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
        if (plan.saver) plan.saver->save(tally);
        return m;
    } catch (const Interrupted&) {
        follower.clear();
        if (!warm) follower.start();  // forgets the launches of the warm-up
        require_counted(tally, follower.launches());
        if (plan.saver) plan.saver->save(tally);
        end_interrupted(plan, tally, follower.launches(), rule.launches.value_or(0));
    }
}

void judge_all(const Tally& tally, std::uint64_t launches) {
    require_counted(tally, launches);
    tally.estimand().judge(tally);
}

void end_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches) {
    const bool nothing_to_tell = launches == 0 && !plan.saver;
    if (!plan.options.pooled() || nothing_to_tell) {
        throw Interrupted(interrupt_code());
    }
    tell_interrupted(plan, tally, launches, all_launches);
    if (plan.saver && plan.saver->failure()) {
        throw WriteError("interrupted, and " + *plan.saver->failure());
    }
    throw Interrupted(interrupt_code(),
                      fmt::format("interrupted after {} of {} launches, {}", grouped(launches), grouped(all_launches),
                                  plan.saver ? "saved to " + plan.saver->path() : "no result written"));
}

}  // namespace bench
