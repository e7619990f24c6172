// Records of runs for the tests of reports and files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/record/record.hpp"
#include "tests/host/bench/sample_estimand.hpp"

namespace sample_runs {

using bench::Context;
using bench::Record;

inline Context context() {
    return {
        .date = "2026-01-31T23:59:59Z",
        .build = {.commit = "0123456789abcdef0123456789abcdef01234567",
                  .dirty = true,
                  .compiler = "nvcc 13.0.88, GNU 12.2.0",
                  .flags = "kernels: -O3; CPU: -O3",
                  .optimized = true},
        .host = {.cpu = "Some CPU", .cores = 16, .machine_cores = 32, .os = "Linux 6.1.0"},
        .device = bench::DeviceFacts{.name = "NVIDIA H200",
                                     .major = 9,
                                     .minor = 0,
                                     .multiprocessors = 132,
                                     .max_clock_mhz = 1980,
                                     .memory_gib = 139.8,
                                     .ecc = true},
        .driver = "580.1",
        .runtime = "13.0",
    };
}

/// A tally of launches with these numbers of path-steps.
inline bench::Tally tally_of(const std::vector<bench::Count>& launches,
                             const bench::Estimand& estimand = sample_estimand::walks) {
    bench::Tally tally(estimand, {.seed = 0xffffffffffffffff,
                                  .shape = {264, 256},
                                  .iters = 1000,
                                  .streams = 264 * 256,
                                  .published = 1,
                                  .work = 67'584'000});  // at most: many walks end early
    for (const bench::Count& path_steps : launches) tally.add({&path_steps, 1});
    return tally;
}

inline bench::Step step() {
    bench::Step step = {};
    step.name = "v7";
    step.after = "v6";
    step.title = "Xorshift32";
    step.technique = "own \"generator\"";
    step.lesson = "";
    step.phases[0] = {"seed"};
    step.phases[1] = {"walk"};
    step.phases[2] = {"reduce"};
    return step;
}

/// A worker with this number of launches and this rate.
inline bench::Member member(std::uint64_t launches, std::optional<double> launches_per_ms) {
    bench::Member member;
    member.name = "NVIDIA H200";
    member.host = "a";
    member.launches = launches;
    member.launches_per_ms = launches_per_ms;
    return member;
}

/// Three launches of a million path-steps in 1, 2 and 4 ms: 1, 0.5 and 0.25 path-steps/ns.
inline Record run(const bench::Estimand& estimand = sample_estimand::walks) {
    bench::Member gpu = member(3, 0.5);
    gpu.device = 0;
    gpu.sm_clock_mhz = 1965.5;
    gpu.power_w = 250;
    gpu.throttle = {.timings = 3, .power = 2, .min_c = 45, .max_c = 62};
    return {
        .ladder = "walks",
        .version = "v7",
        .step = step(),
        .launched = step(),
        .tally = tally_of({1'000'000, 1'000'000, 1'000'000}, estimand),
        .measured = {.ms = {4, 1, 2},
                     .phases_ms = {{1.5, 2, 0.5}, {0.25, 0.5, 0.25}, {0.75, 1, 0.25}},
                     .work = {1e6, 1e6, 1e6},
                     .launches = 3,
                     .timed_ms = 7,
                     .timed_work = 3e6,
                     .elapsed_seconds = 0.008,
                     .batch = 1,
                     .progress = bench::Progress::precise},
        .launches = 3,
        .kernel = bench::KernelFacts{.registers = 32, .shared_bytes = 8192, .occupancy = 0.75},
        .members = {gpu},
        .wall_ms = {4.5, 1.25, 2.0000000004},
        .context = context(),
        .warnings = {{"clock", "the first"}, {"tool", "the second, with a\nline break"}},
    };
}

inline Record cpu_run() {
    Record result = run();
    bench::Step on_cpu = step();
    on_cpu.after = nullptr;
    on_cpu.phases[0] = {"walk", nullptr, bench::On::host};
    on_cpu.phases[1] = on_cpu.phases[2] = {};
    on_cpu.cpu.streams = 4096;
    on_cpu.cpu.isa = [] { return "x86-64-v4"; };
    result.version = "cpu_openmp";
    result.step = result.launched = on_cpu;
    bench::LaunchSpec spec = result.tally.spec();
    spec.shape = {1, 16};
    spec.streams = 4096;
    const bench::Tally gpu_tally = result.tally;
    result.tally = bench::Tally(gpu_tally.estimand(), spec);
    result.tally.restore(gpu_tally.state());
    result.kernel.reset();
    result.members = {member(3, 0.5)};
    result.context.device.reset();
    result.context.driver.reset();
    result.context.runtime.reset();
    return result;
}

/// The run on devices 2 and 0 of one process; the second had no launch.
inline Record run_of_devices() {
    Record result = run();
    bench::Member first = member(3, 0.5), second = member(0, {});
    first.device = 2;
    first.sm_clock_mhz = 1964.96;
    first.power_w = 250.04;
    first.throttle = {.timings = 3, .min_c = 45, .max_c = 62};
    second.device = 0;
    result.members = {first, second};
    result.scaling = bench::Scaling::strong;
    return result;
}

/// The run on three MPI ranks of two hosts.
inline Record run_of_ranks() {
    Record result = run();
    result.members.assign(3, member(1, 0.25));
    for (int rank = 0; rank < 3; rank++) result.members[static_cast<std::size_t>(rank)].rank = rank;
    result.members[1].host = std::string(1, 'b');  // g++ 12 warns of the assignment of "b"
    result.members[1].device = 1;
    result.scaling = bench::Scaling::weak;
    return result;
}

/// A pooled run that an earlier part finished.
inline Record run_with_nothing_left(const bench::Estimand& estimand = sample_estimand::walks) {
    Record result = run(estimand);
    result.occasion = bench::Occasion::pooled;
    result.measured = {};
    result.measured.progress = bench::Progress::done;
    result.members = {member(0, {})};
    result.resumed_from = 3;
    return result;
}

}  // namespace sample_runs
