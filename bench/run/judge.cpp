#include "bench/run/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/errors.hpp"
#include "bench/measure/stopping_rule.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/options/own_options.hpp"
#include "bench/record/report.hpp"
#include "bench/run/publish.hpp"
#include "bench/text.hpp"
#include "bench/workers/gpu/gpu_worker.hpp"

namespace bench {
namespace {

/// Writes to stdout, or to stderr if stdout is for the result alone.
void write_beside_result(const Options& options, const std::string& text) {
    if (options.result_on_stdout()) {
        std::fputs(text.c_str(), stderr);
    } else {
        write_stdout(text);
    }
}

/// Judges the launches of an interrupted pooled run and prints their estimate, if there are any. Throws VerdictError.
void tell_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches) {
    if (launches == 0) {
        return;
    }
    judge_all(tally, launches);
    if (!plan.options.quiet) {
        write_beside_result(plan.options, interrupted_text(plan.version, plan.step, tally, all_launches));
    }
}

/// A range of launches, and the file that has it.
struct Part {
    Range range;
    std::string path;
};

/// The ranges of all parts, those side by side as one. Throws UsageError if a launch is in two.
std::vector<Range> joined(std::vector<Part> parts) {
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::pair(a.range.first, a.range.end) < std::pair(b.range.first, b.range.end);
    });
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < parts.size(); i++) {
        const Range& range = parts[i].range;
        if (i > 0 && range.first < parts[i - 1].range.end) {
            throw UsageError(fmt::format("{}: launch {} is in {} too", parts[i].path, range.first, parts[i - 1].path));
        }
        if (!ranges.empty() && ranges.back().end == range.first) {
            ranges.back().end = range.end;
        } else {
            ranges.push_back(range);
        }
    }
    return ranges;
}

}  // namespace

void require_counted(const Tally& tally, std::uint64_t launches) {
    if (tally.launches() != launches) {
        throw VerdictError(fmt::format("{} of {} launches were counted", tally.launches(), launches));
    }
}

void judge_all(const Tally& tally, std::uint64_t launches) {
    require_counted(tally, launches);
    tally.estimand().judge(tally);
}

void judge(const Plan& plan, const Record& run, const Saver* saver) {
    if (interrupted()) {
        end_interrupted(plan, run.tally, run.launches, run.launches, saver);
    }
    require_enough_launches("--max-time", run.launches, run.tally.estimand());
    judge_all(run.tally, run.launches);
}

void end_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches, std::uint64_t all_launches,
                     const Saver* saver) {
    const bool nothing_to_tell = launches == 0 && !saver;
    if (!plan.options.pooled() || nothing_to_tell) {
        throw Interrupted(interrupt_code());
    }
    tell_interrupted(plan, tally, launches, all_launches);
    if (saver && saver->failure()) {
        throw WriteError("interrupted, and " + *saver->failure());
    }
    throw Interrupted(interrupt_code(),
                      fmt::format("interrupted after {} of {} launches, {}", grouped(launches), grouped(all_launches),
                                  saver ? "saved to " + saver->path() : "no result written"));
}

void profile(const Plan& plan) {
    Tally tally(*plan.step.estimand, plan.spec);
    profile(plan.devices[0], plan.launched, plan.spec, [&](std::span<const Count> counts) { tally.add(counts); });
    judge_all(tally, 1);
    if (!plan.options.quiet) {
        write_stdout(profile_text(plan.version, plan.step, tally, plan.options.profiled_by));
    }
}

void judge_stored(const World& world, const std::string& program, const std::string& ladder, const Step& step,
                  const Options& options) {
    if (world.size() > 1) throw UsageError("--judge: one process, not under MPI");
    Plan plan = {program, ladder, "", options, step, step, {}};
    const std::string suffix = settle_own(options.own, plan.step);
    plan.program += suffix;
    plan.version = plan.step.name + suffix;
    plan.launched = plan.step;
    std::vector<Stored> runs;
    for (const std::string& path : options.judge) runs.push_back(read_stored(path, read_file(path)));
    take_over(runs.front(), plan.program, plan.options);
    const LaunchSpec& spec = runs.front().spec;
    plan.spec = spec_of(plan.step, spec.seed, spec.shape, spec.iters);
    Tally sum(*plan.step.estimand, plan.spec);
    std::vector<Part> parts;
    bool dirty = false;
    for (const Stored& run : runs) {
        const Tally own = tally_of(run, plan.program, sum);
        if (own.launches() >= sum.estimand().least_launches()) judge_all(own, own.launches());
        sum.add(own);
        dirty |= run.dirty;
        for (const Range& range : run.ranges) {
            if (range.first < range.end) parts.push_back({range, run.path});
        }
    }
    const std::vector<Range> ranges = joined(std::move(parts));
    require_enough_launches("--judge", sum.launches(), sum.estimand());
    judge_all(sum, sum.launches());
    plan.options.launches = sum.launches();
    Record record = record_so_far(plan, sum, nullptr, sum.launches());
    record.ranges = ranges;
    record.measured.progress = Progress::done;
    record.context.build.dirty |= dirty;
    record.warnings = sum.estimand().warnings(sum, Occasion::pooled);
    for (const Stored& run : runs) {
        if (const std::string other = other_commit_text(run, build_info()); !other.empty()) {
            record.warnings.push_back(Warning{"build", other});
        }
    }
    publish(plan, record, nullptr);
}

}  // namespace bench
