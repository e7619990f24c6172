#include "bench/run/benchmark.hpp"

#include "bench/options/guarded.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/options/output.hpp"
#include "bench/record/result_file.hpp"
#include "bench/run/publish.hpp"
#include "bench/run/session.hpp"

namespace bench {
namespace {

/// The checkpoint of a run before its first launch.
Checkpoint checkpoint_of(const Plan& plan, std::uint64_t launches) {
    Checkpoint checkpoint;
    checkpoint.program = plan.program;
    checkpoint.seed = plan.work.seed;
    checkpoint.shape = plan.launch;
    checkpoint.work_per_launch = plan.work.per_launch;
    checkpoint.launches = launches;
    return checkpoint;
}

}  // namespace

std::optional<Resumed> begin(const std::string& program, Options& options, std::initializer_list<ShapeOption> shape) {
    if (!options.json.empty() && options.json != "-") {
        check_writable(options.json);
    }
    auto resumed = resume(program, options);
    if (resumed) {
        for (const auto& [name, value] : shape) take_over(*resumed, options, name, value);
    }
    return resumed;
}

void benchmark(Plan plan, Tally& tally, Backend& backend, std::optional<Resumed> resumed) {
    catch_interrupts();
    plan.workers = backend.workers();
    const std::uint64_t launches = stopping_rule(plan, tally.estimand()).launches.value_or(0);
    const auto saver = saver_of(plan.options, std::move(resumed), checkpoint_of(plan, launches), tally.empty(),
                                [&](const std::string& text) { say(plan.program, "warning: " + text); });
    plan.saver = saver.get();
    const Measurement m = measure_with_progress(
        plan, tally, [&](std::uint64_t first, unsigned launches) { return backend.time(first, launches); },
        [&] { backend.end_warm_up(); }, [&](unsigned most) { return backend.side_by_side(most); });
    Run run = run_of(plan, m, tally);
    const Context context = backend.complete(run, m);
    publish(plan, context, run);
}

}  // namespace bench
