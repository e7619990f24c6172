#include "bench/publish.hpp"

#include <fmt/format.h>

#include "bench/cli/guarded.hpp"
#include "bench/cli/interrupt.hpp"
#include "bench/keep/json.hpp"
#include "bench/keep/result_file.hpp"
#include "bench/session.hpp"
#include "bench/tell/report.hpp"

namespace bench {

std::optional<std::uint64_t> resumed_from(const Plan& plan) {
    const bool has_earlier_part = plan.saver && plan.saver->start().launches_done > 0;
    return has_earlier_part ? std::optional(plan.saver->start().launches_done) : std::nullopt;
}

std::optional<std::vector<Outcome>> trace_of(const Options& options, const Tally& tally) {
    return options.pooled() ? std::optional(tally.trace()) : std::nullopt;
}

std::vector<std::string> warnings_of(const Plan& plan, const Measurement& m, std::uint64_t samples) {
    std::vector<std::string> warnings = m.warnings;
    const double cycle = plan.subject.cycle_samples;
    if (plan.options.pooled() && static_cast<double>(samples) > cycle) {
        warnings.push_back(fmt::format(
            "the whole cycle of the generator is {:.3g} samples, and this run took {:.3g}: its streams overlap", cycle,
            static_cast<double>(samples)));
    }
    if (plan.saver && plan.saver->failure()) {
        warnings.push_back(*plan.saver->failure() + "; it holds less than was done");
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

Run run_of(const Plan& plan, const Measurement& m, const Tally& tally) {
    Run run = {};
    run.subject = plan.subject;
    run.seed = plan.work.seed;
    run.threads = plan.threads;
    run.iters = plan.work.iters;
    run.samples_per_launch = plan.work.samples_per_launch;
    run.launches = resumed_from(plan).value_or(0) + m.launches;
    run.batch = m.batch;
    run.kernel_ms = m.ms;
    run.outcome = tally.outcome();
    run.trace = trace_of(plan.options, tally);
    run.spread = tally.spread();
    run.warnings = warnings_of(plan, m, run.outcome.samples);
    run.resumed_from = resumed_from(plan);
    return run;
}

void publish(const Plan& plan, const Context& context, const Run& run, const Tally& tally) {
    if (interrupted()) {
        end_interrupted(plan, tally, run.launches, run.launches);
    }
    const Options& options = plan.options;
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
        say(plan.program, "warning: " + warning);
    }
}

}  // namespace bench
