#include "bench/run/publish.hpp"

#include <fmt/format.h>

#include "bench/options/guarded.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/json.hpp"
#include "bench/record/report.hpp"
#include "bench/record/result_file.hpp"
#include "bench/run/session.hpp"

namespace bench {
namespace {

Occasion occasion_of(const Options& options) { return options.pooled() ? Occasion::pooled : Occasion::timed; }

/// A warning of a launch whose phases, one after the other, miss a part of its time.
std::optional<std::string> other_warning(const Run& run) {
    constexpr double most_other = 0.02;  // of the time
    if (run.subject.clock == Clock::gpu || run.subject.phases.size() < 2 || run.kernel_ms.empty()) {
        return std::nullopt;
    }
    const double share = other_ms(run) / summarize(run.kernel_ms).median;
    return share > most_other ? std::optional(fmt::format("{:.1f} % of the time belongs to no phase", 100 * share))
                              : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> resumed_from(const Plan& plan) {
    const bool has_earlier_part = plan.saver && plan.saver->start().launches_done() > 0;
    return has_earlier_part ? std::optional(plan.saver->start().launches_done()) : std::nullopt;
}

std::vector<std::string> warnings_of(const Plan& plan, const Measurement& m, const Tally& tally) {
    std::vector<std::string> warnings = m.warnings;
    for (const auto& warning : tally.estimand().warnings(tally, occasion_of(plan.options))) {
        warnings.push_back(warning);
    }
    if (plan.saver && plan.saver->failure()) {
        warnings.push_back(*plan.saver->failure() + "; the checkpoint lacks the latest launches");
    }
    if (!m.ms.empty() && !summarize(m.ms).interval_is_95) {
        warnings.push_back(
            fmt::format("a 95 % interval needs 6 timings, not {}: the range is given instead", m.ms.size()));
    }
    if (const std::string debug = debug_build_warning(); !debug.empty()) {
        warnings.push_back(debug);
    }
    return warnings;
}

Run run_of(const Plan& plan, const Measurement& m, const Tally& tally) {
    Run run = {
        .subject = plan.subject,
        .tally = tally,
        .occasion = occasion_of(plan.options),
        .threads = plan.threads,
        .launches = resumed_from(plan).value_or(0) + m.launches,
        .batch = m.batch,
        .kernel_ms = m.ms,
        .phases_ms = m.phases_ms,
        .work = m.work,
        .warnings = warnings_of(plan, m, tally),
        .whole_calls = plan.options.whole_calls,
        .resumed_from = resumed_from(plan),
    };
    if (const auto warning = other_warning(run)) run.warnings.push_back(*warning);
    return run;
}

void publish(const Plan& plan, const Context& context, const Run& run) {
    if (interrupted()) {
        end_interrupted(plan, run.tally, run.launches, run.launches);
    }
    const Options& options = plan.options;
    require_enough_launches("--max-time", run.launches, run.tally.estimand());
    judge_all(run.tally, run.launches);
    if (!options.json.empty()) {
        write_json(options.json, to_json(context, run));
    }
    run.tally.estimand().write_files(run.tally);
    if (options.json != "-" && !options.quiet) {
        write_stdout(to_text(context, run));
    }
    for (const auto& warning : run.warnings) {  // last, so that a failure to write prints nothing else
        say(plan.program, "warning: " + warning);
    }
}

}  // namespace bench
