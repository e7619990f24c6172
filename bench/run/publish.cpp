#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "bench/options/build_info.hpp"
#include "bench/options/options.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/record/report.hpp"
#include "bench/run/plan.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/gpu/energy.hpp"
#include "bench/workers/throttle.hpp"

namespace bench {
namespace {

Occasion occasion_of(const Options& options) { return options.pooled() ? Occasion::pooled : Occasion::timed; }

bool works_on_host(const Step& step) {
    return std::any_of(step.phases, step.phases + phases_of(step),
                       [](const Phase& phase) { return phase.on != On::stream; });
}

void add(std::vector<Warning>& warnings, const std::optional<Warning>& warning) {
    if (warning) warnings.push_back(*warning);
}

/// A warning of a launch whose phases, one after the other, miss a part of its time.
std::optional<Warning> other_warning(const Record& run) {
    constexpr double most_other = 0.02;  // of the time
    if (clock_of(run.launched) == Clock::gpu || phases_of(run.launched) < 2 || run.measured.ms.empty()) {
        return std::nullopt;
    }
    const double share = other_ms(run) / summarize(run.measured.ms).median;
    if (share <= most_other) {
        return std::nullopt;
    }
    return Warning{"phases", fmt::format("{:.1f} % of the time belongs to no phase", 100 * share)};
}

std::vector<Warning> warnings_of_measurement(const Plan& plan, const Record& run, const Saver* saver) {
    std::vector<Warning> warnings;
    add(warnings, stopping_warning(run.measured.progress, plan.options.max_time));
    for (const Warning& warning : run.tally.estimand().warnings(run.tally, run.occasion)) warnings.push_back(warning);
    if (saver && saver->failure()) {
        warnings.push_back(Warning{"checkpoint", *saver->failure() + "; the checkpoint lacks the latest launches"});
    }
    if (const auto& ms = run.measured.ms; !ms.empty() && !summarize(ms).interval_is_95) {
        warnings.push_back(Warning{
            "interval", fmt::format("a 95 % interval needs 6 timings, not {}: the range is given instead", ms.size())});
    }
    if (!build_info().optimized) {
        warnings.push_back(Warning{"build", "DEBUG BUILD: these times mean nothing; use the preset 'release'"});
    }
    add(warnings, other_warning(run));
    return warnings;
}

/// What other work may have left in the environment: "CUDA_LAUNCH_BLOCKING, CUDA_FORCE_PTX_JIT".
std::string slowing_variables() {
    std::vector<const char*> set;
    for (const char* name : {"CUDA_LAUNCH_BLOCKING", "CUDA_FORCE_PTX_JIT", "CUDA_FORCE_JIT",
                             "CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"}) {
        const char* value = std::getenv(name);
        if (value && *value && std::string(value) != "0") set.push_back(name);
    }
    return fmt::format("{}", fmt::join(set, ", "));
}

void add_warnings_of_gpus(const Plan& plan, Record& run) {
    add(run.warnings, low_clock_warning(run.members));
    if (const auto tool = slowing_tool()) {
        run.warnings.push_back(
            Warning{"tool", fmt::format("launches take longer under {}: the rate means nothing", *tool)});
    }
    if (const std::string set = slowing_variables(); !set.empty()) {
        run.warnings.push_back(Warning{"tool", fmt::format("the environment has {}: launches may take longer", set)});
    }
    if (!plan.crowd) add(run.warnings, sharing_warning(plan.devices));
    if (wants_power(plan) && !power_w(run)) {
        run.warnings.push_back(Warning{"power", "no power figures: NVML reported no energy while launches ran"});
    }
    if (run.members.size() > 1 && works_on_host(plan.step)) {
        run.warnings.push_back(
            Warning{"sharing",
                    "a part of each launch runs on the host, whose cores the GPUs share: the rate is an upper bound"});
    }
}

}  // namespace

Record record_so_far(const Plan& plan, const Tally& tally, const Saver* saver, std::uint64_t goal) {
    const std::uint64_t done_before = saver ? saver->start().launches_done() : 0;
    const std::uint64_t first = saver ? saver->start().ranges.front().first : plan.options.first.value_or(0);
    const bool has_gpu = !plan.devices.empty();  // which runs, or ran, the launches
    Record run = {
        .program = plan.program,
        .own = plan.options.own,
        .ladder = plan.ladder,
        .version = plan.version,
        .step = plan.step,
        .launched = plan.launched,
        .whole_calls = plan.options.whole_calls,
        .tally = tally,
        .occasion = occasion_of(plan.options),
        .launches = tally.launches(),
        .ranges = {{first, first + tally.launches()}},
        .goal = goal,
        .resumed_from = done_before > 0 ? std::optional(done_before) : std::nullopt,
        .rehearsed = plan.rehearsed,
        .kernel = has_gpu ? kernel_facts(plan.step, plan.spec.shape.threads, plan.devices[0]) : std::nullopt,
        .context = has_gpu ? gpu_context(plan.devices[0]) : cpu_context(),
    };
    run.context.build.dirty |= saver && saver->start().dirty;
    return run;
}

bool wants_power(const Plan& plan) {
    const Options& options = plan.options;
    return !is_on_cpu(plan.step) && !options.pooled() && !options.whole_calls && options.max_time >= 1;
}

Record record_of(const Plan& plan, Team& team, const Measurement& measured, const Tally& tally, const Saver* saver) {
    Record run = record_so_far(plan, tally, saver, tally.launches());
    run.measured = measured;
    run.launches = run.resumed_from.value_or(0) + measured.launches;
    run.audits = team.audits();
    run.members = team.members();
    run.wall_ms = team.wall_ms();
    if (plan.is_team) run.scaling = plan.options.scaling;
    run.warnings = warnings_of_measurement(plan, run, saver);
    add(run.warnings, plan.crowd);
    if (!is_on_cpu(plan.step)) add_warnings_of_gpus(plan, run);
    return run;
}

void publish(const Plan& plan, const Record& run, Saver* saver) {
    const Options& options = plan.options;
    const bool keeps = saver && !saver->failure() && run.measured.launches > 0;
    if (keeps) saver->save(run);
    if (!options.json.empty()) write_target(options.json, options.judge.empty() ? to_json(run) : to_stored(run));
    if (!options.csv.empty()) write_target(options.csv, to_csv(document_of(run)));
    run.tally.estimand().write_files(run.tally);
    if (!options.result_on_stdout() && !options.quiet) {
        write_stdout(to_text(run));
    }
    for (const Warning& warning : run.warnings) {  // last, so that a failure to write prints nothing else
        say(plan.program, "warning: " + warning.text);
    }
    if (keeps && saver->failure()) say(plan.program, "warning: " + *saver->failure() + "; the file has no figures");
}

}  // namespace bench
