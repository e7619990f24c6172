#include "bench/run/judge_stored.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/errors.hpp"
#include "bench/measure/stopping_rule.hpp"
#include "bench/options/output.hpp"
#include "bench/options/own_options.hpp"
#include "bench/run/judge.hpp"
#include "bench/run/publish.hpp"

namespace bench {
namespace {

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
    judge_all(sum, launches_in(ranges));
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
