#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/errors.hpp"
#include "bench/measure/stopping_rule.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/progress_line.hpp"
#include "bench/run/plan.hpp"

namespace bench {
namespace {

/// The stopping rule of a plan, which also knows where an earlier part of the run ended.
StoppingRule rule_of(const Plan& plan, const Estimand& estimand, const Saver* saver) {
    StoppingRule rule = stopping_rule(plan.options, estimand, plan.spec.work, plan.workers);
    rule.most_at_once = most_at_once(plan.spec.published);
    if (saver) {
        rule.launches = saver->start().goal;
        rule.first = saver->start().ranges.front().first;
        rule.done = saver->start().launches_done();
        // Checkpoints are saved between timings, so a timing must be short compared to their interval.
        rule.longest_timing_ms = std::min(rule.longest_timing_ms, 1e3 * plan.options.checkpoint_every / 4);
    }
    return rule;
}

void warn(const Plan& plan, const std::string& text) { say(plan.program, "warning: " + text); }

/// The launches of a measurement: shows their progress, counts and saves them.
class TeamRunner : public Runner {
 public:
    TeamRunner(const Plan& plan, Team& team, Tally& tally, const StoppingRule& rule, Saver* saver)
        : plan_(plan),
          team_(team),
          tally_(tally),
          rule_(rule),
          saver_(saver),
          line_(plan.options.quiet),
          launches_(rule.done) {
        start();
    }

    BatchTime time(std::uint64_t first, unsigned launches) override {
        throw_if_interrupted();
        const std::uint64_t before = tally_.work_done();
        BatchTime time = team_.time(first, launches, tally_);
        time.work = static_cast<double>(tally_.work_done() - before);
        return time;
    }

    unsigned side_by_side(unsigned most) override { return team_.side_by_side(most); }

    void end_warm_up() override {
        team_.settle();
        start();
        warm_ = true;
    }

    void note(const Measurement& so_far) override {
        launches_ = rule_.done + so_far.launches;
        require_counted(tally_, launches_);
        line_.show([&] { return text(so_far); });
        if (saver_ && launches_ < *rule_.launches && saver_->due()) {
            line_.clear();  // so that a warning has its own line
            team_.audit();  // no run goes on from what an audit refused
            save();
            if (const auto& failure = saver_->failure()) {
                warn(plan_, *failure + "; the file keeps the previous checkpoint");
            }
        }
    }

    /// Ends the measurement.
    void end() {
        throw_if_interrupted();
        team_.audit();  // before the last save
        save();
    }

    /// Ends the run after a signal.
    [[noreturn]] void end_interrupted() {
        line_.clear();
        if (!warm_) start();  // forgets the launches of the warm-up
        require_counted(tally_, launches_);
        if (plan_.options.pooled() && warm_) team_.audit();
        save();
        bench::end_interrupted(plan_, tally_, launches_, rule_.launches.value_or(0), saver_);
    }

 private:
    /// Starts counting, from the end of an earlier part of the run if there is one.
    void start() {
        tally_.discard();
        if (saver_) tally_.restore(saver_->start().tally);
        before_ = tally_.work_done();
        start_ = monotonic_seconds();
    }

    void save() {
        if (saver_) saver_->save(record_so_far(plan_, tally_, saver_, *rule_.launches));
    }

    std::string text(const Measurement& so_far) const {
        const Unit unit = tally_.estimand().unit();
        if (!rule_.launches) {
            return progress_text(plan_.version, unit, so_far);
        }
        const double share = static_cast<double>(launches_) / static_cast<double>(*rule_.launches);
        return progress_text({tally_.work_done(), share, before_, unit, so_far.timed_ms, monotonic_seconds() - start_,
                              tally_.estimand().estimate_so_far(tally_)});
    }

    const Plan& plan_;
    Team& team_;
    Tally& tally_;
    const StoppingRule& rule_;
    Saver* saver_;
    ProgressLine line_;
    bool warm_ = false;         // whether the warm-up is over
    std::uint64_t before_ = 0;  // work of an earlier part
    double start_ = 0;
    std::uint64_t launches_;  // done, including those of an earlier part
};

/// The file of a new run, and what is in it.
std::pair<KeptFile, Stored> begun(const Plan& plan, const Tally& tally, std::uint64_t goal) {
    const std::string& path = plan.options.checkpoint;
    const std::string text = to_stored(record_so_far(plan, tally.empty(), nullptr, goal));
    return {KeptFile::create(path, text), read_stored(path, text)};
}

/// The file of a resumed run, and what is in it, with its goal.
std::pair<KeptFile, Stored> gone_on_with(const Plan& plan, Resumed resumed, const Tally& tally, std::uint64_t goal) {
    Stored run = std::move(resumed.run);
    tally_of(run, plan.program, tally.empty());
    if (resumed.new_goal && goal < run.launches_done()) {
        throw UsageError(fmt::format("{}: {} launches are done already in {}, more than {}",
                                     plan.options.goal ? plan.options.goal_option : "--launches", run.launches_done(),
                                     run.path, goal));
    }
    if (resumed.new_goal) run.goal = goal;  // that in the file is already of all GPUs, with weak scaling
    if (const std::string other = other_commit_text(run, build_info()); !other.empty()) warn(plan, other);
    return {std::move(resumed.file), std::move(run)};
}

}  // namespace

std::unique_ptr<Saver> saver_of(Plan& plan, const Tally& tally) {
    auto resumed = std::exchange(plan.resumed, std::nullopt);
    if (!resumed && plan.options.checkpoint.empty()) {
        return nullptr;
    }
    const std::uint64_t goal = *rule_of(plan, tally.estimand(), nullptr).launches;
    auto [file, start] = resumed ? gone_on_with(plan, std::move(*resumed), tally, goal) : begun(plan, tally, goal);
    if (file.unlocked()) {
        warn(plan, fmt::format("cannot lock {} ({}): no other process may use it while this one runs", file.path(),
                               *file.unlocked()));
    }
    return std::make_unique<Saver>(std::move(file), std::move(start), plan.options.checkpoint_every);
}

Measurement measure(const Plan& plan, Team& team, Tally& tally, Saver* saver) {
    const StoppingRule rule = rule_of(plan, tally.estimand(), saver);
    TeamRunner runner(plan, team, tally, rule, saver);
    if (rule.done > 0) judge_all(tally, rule.done);  // more launches could hide a fault that was found before
    if (rule.launches == rule.done) {
        return {.progress = Progress::done};
    }
    try {
        Measurement measured = time_launches(rule, runner);
        runner.end();
        return measured;
    } catch (const Interrupted&) {
        runner.end_interrupted();
    }
}

}  // namespace bench
