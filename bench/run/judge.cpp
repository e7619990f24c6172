#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "bench/errors.hpp"
#include "bench/measure/stopping_rule.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/report.hpp"
#include "bench/run/plan.hpp"
#include "bench/text.hpp"
#include "bench/workers/worker.hpp"

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
    if (launches == 0) return;
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

/// The ranges of all runs, those side by side as one. Throws UsageError if a launch is in two.
std::vector<Range> joined(const std::vector<Stored>& runs) {
    std::vector<Part> parts;
    for (const Stored& run : runs) {
        for (const Range& range : run.ranges) {
            if (range.first < range.end) parts.push_back({range, run.path});
        }
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.range.first < b.range.first; });
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

/// The launches of all stored runs. Throws VerdictError if those of one, as far as it can be judged, fail their verdict.
Tally sum_of(const Plan& plan) {
    const Tally none(*plan.step.estimand, plan.spec);
    Tally sum = none;
    for (const Stored& run : plan.judged) {
        const Tally own = tally_of(run, plan.program, none);
        if (own.launches() >= none.estimand().least_launches()) none.estimand().judge(own);
        sum.add(own);
    }
    return sum;
}

/// The record of the sum of all stored runs.
Record record_of(const Plan& plan, const Tally& sum) {
    Record record = record_so_far(plan, sum, nullptr, sum.launches());
    record.occasion = Occasion::pooled;
    record.measured.progress = Progress::done;
    record.warnings = sum.estimand().warnings(sum, record.occasion);
    for (const Stored& run : plan.judged) {
        record.context.build.dirty |= run.dirty;
        if (const std::string other = other_commit_text(run, build_info()); !other.empty()) {
            record.warnings.push_back(Warning{"build", other});
        }
    }
    return record;
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
    if (!plan.options.pooled() || nothing_to_tell) throw Interrupted(interrupt_code());
    tell_interrupted(plan, tally, launches, all_launches);
    if (saver && saver->failure()) {
        throw WriteError("interrupted, and " + *saver->failure());
    }
    throw Interrupted(interrupt_code(),
                      fmt::format("interrupted after {} of {} launches, {}", grouped(launches), grouped(all_launches),
                                  saver ? "saved to " + saver->path() : "no result written"));
}

void judge_stored(const Plan& plan) {
    const std::vector<Range> ranges = joined(plan.judged);
    const Tally sum = sum_of(plan);
    require_enough_launches("--judge", sum.launches(), sum.estimand());
    sum.estimand().judge(sum);
    Record record = record_of(plan, sum);
    record.ranges = ranges;
    publish(plan, record, nullptr);
}

}  // namespace bench
