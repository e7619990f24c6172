#include "bench/run/judge.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "bench/errors.hpp"
#include "bench/measure/stopping_rule.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/report.hpp"
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

}  // namespace bench
