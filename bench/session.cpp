#include "bench/session.hpp"

#include <fmt/format.h>

#include <new>

#include "bench/checked.hpp"
#include "bench/interrupt.hpp"
#include "bench/progress_line.hpp"
#include "bench/result_file.hpp"

namespace bench {
namespace {

constexpr std::uint64_t max_samples = std::uint64_t{1} << 63;

/// One line on stderr; where even that cannot be written there is nobody to tell.
void say(const std::string& program, const std::string& text) {
    std::fputs(fmt::format("{}: {}\n", program, text).c_str(), stderr);
}

}  // namespace

int guarded(const std::string& program, const std::function<void()>& body) {
    catch_interrupts();
    try {
        body();
        return exit_done;
    } catch (const Error& error) {
        say(program, error.what());
        return error.code();
    } catch (const std::bad_alloc&) {
        say(program, "out of memory: the counts of so large a grid do not fit");
        return exit_usage;
    } catch (const std::exception& error) {
        say(program, error.what());
        return exit_machine;
    }
}

std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters) {
    const auto samples = checked_product(streams, iters);
    if (!samples || *samples > max_samples) {
        throw UsageError(fmt::format("a launch of {} streams of {} samples passes 2^63 samples", streams, iters));
    }
    return *samples;
}

StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch) {
    StoppingRule rule;
    rule.max_seconds = options.max_time;
    rule.launches = options.launches;
    if (options.samples) {
        rule.launches = (*options.samples - 1) / samples_per_launch + 1;
    }
    const auto samples = checked_product(rule.launches.value_or(1), samples_per_launch);
    if (!samples || *samples > max_samples) {
        throw UsageError(
            fmt::format("{} launches of {} samples pass 2^63 samples", *rule.launches, samples_per_launch));
    }
    return rule;
}

Measurement measure_with_progress(const Options& options, const std::string& name, std::uint64_t samples_per_launch,
                                  const TimeBatch& time_batch, const std::function<void()>& discard) {
    ProgressLine line(name, samples_per_launch, options.quiet);
    const TimeBatch interruptible = [&](std::uint64_t first, unsigned launches) {
        throw_if_interrupted();
        return time_batch(first, launches);
    };
    const auto rule = stopping_rule(options, samples_per_launch);
    Measurement m = measure(
        rule, interruptible, discard, [&](const Measurement& so_far) { line.show(so_far); }, monotonic_seconds);
    throw_if_interrupted();
    return m;
}

std::vector<std::string> warnings_of(const Measurement& m) {
    std::vector<std::string> warnings = m.warnings;
    if (!summarize(m.ms).interval_is_95) {
        const bool one = m.ms.size() == 1;
        warnings.push_back(fmt::format("{} timing{} give{} no 95 % interval (6 do): the range stands in for it",
                                       m.ms.size(), one ? "" : "s", one ? "s" : ""));
    }
    if (const std::string debug = debug_build_warning(); !debug.empty()) {
        warnings.push_back(debug);
    }
    return warnings;
}

void publish(const std::string& program, const Options& options, const Context& context, const Run& run) {
    throw_if_interrupted();
    judge(run.outcome, run.subject.expected);
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
        say(program, "warning: " + warning);
    }
}

}  // namespace bench
