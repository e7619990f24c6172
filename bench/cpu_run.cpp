// A whole run of the CPU baseline.
#include <fmt/format.h>

#include <algorithm>

#include "bench/result_file.hpp"
#include "bench/run.hpp"
#include "bench/session.hpp"

namespace bench {
namespace {

ProgramFacts program_facts(const CpuBaseline& b) {
    return {"pi_cpu",
            fmt::format("{}: {}.\n{}\nGenerator: {} ({})", b.title, b.technique, b.lesson, b.generator,
                        soundness_text(b.soundness)),
            false,
            b.default_iters,
            "all cores",
            b.streams};
}

Subject subject(const CpuBaseline& b, unsigned threads) {
    const bool serial = threads == 1;
    return {serial ? "cpu_serial" : "cpu_openmp",
            b.title,
            serial ? "one core, Philox vectorised by the compiler" : b.technique,
            b.generator,
            b.soundness,
            b.expected};
}

void benchmark(const std::string& program, const Options& options, const CpuBaseline& baseline) {
    const HostFacts host = host_facts();
    const unsigned threads = options.threads.value_or(std::min(host.cores, baseline.streams));
    if (const unsigned team = baseline.team_size(threads); team != threads) {
        throw UsageError(
            fmt::format("--threads: OpenMP gives {} threads, not {} (is OMP_THREAD_LIMIT set?)", team, threads));
    }
    const unsigned iters = options.iters.value_or(baseline.default_iters);
    const std::uint64_t samples_per_launch = samples_of_launch(baseline.streams, iters);
    const Task task = {program, options, subject(baseline, threads), samples_per_launch};

    Tally tally(samples_per_launch);
    const TimeBatch time_batch = [&](std::uint64_t first, unsigned launches) -> BatchTime {
        const double start = monotonic_seconds();
        for (unsigned i = 0; i < launches; i++) {
            const Count hits = baseline.launch(options.seed, first + i, iters, threads);
            tally.add({&hits, 1});
        }
        return {(monotonic_seconds() - start) * 1e3, 0};
    };
    const Measurement m = measure_with_progress(task, tally, time_batch, [] {});

    const Context context = {utc_now(), build_info(), host, std::nullopt, std::nullopt, std::nullopt};
    publish(task, context,
            {task.subject, options.seed, threads, iters, samples_per_launch, m.launches, m.batch, m.ms, tally.outcome(),
             trace_of(options, tally), tally.spread(task.subject.expected), std::nullopt,
             CpuSide{baseline.streams, baseline.isa()}, warnings_of(m)});
}

}  // namespace

int run(int argc, const char* const* argv, const CpuBaseline& baseline) {
    const ProgramFacts facts = program_facts(baseline);
    return guarded(facts.name, [&] {
        const auto options = parse_command_line(argc, argv, facts);
        if (!options) {
            return;
        }
        if (!options->json.empty() && options->json != "-") {
            check_writable(options->json);
        }
        benchmark(facts.name, *options, baseline);
    });
}

}  // namespace bench
