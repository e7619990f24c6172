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
using bench::Run;

inline Context context() {
    return {
        .date = "2026-01-31T23:59:59Z",
        .build = {.commit = "0123456789abcdef0123456789abcdef01234567",
                  .dirty = true,
                  .compiler = "nvcc 13.0.88, GNU 12.2.0",
                  .flags = "kernels: -O3; CPU: -O3",
                  .optimized = true},
        .host = {.cpu = "Some CPU", .cores = 16, .os = "Linux 6.1.0"},
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
                                  .counts = 1,
                                  .per_launch = 67'584'000});  // at most: many walks end early
    for (const bench::Count& path_steps : launches) tally.add({&path_steps, 1});
    return tally;
}

/// Three launches of a million path-steps in 1, 2 and 4 ms: 1, 0.5 and 0.25 path-steps/ns.
inline Run run(const bench::Estimand& estimand = sample_estimand::walks) {
    return {
        .subject = {.ladder = "walks",
                    .step = "v7",
                    .title = "Xorshift32",
                    .technique = "own \"generator\"",
                    .after = "v6",
                    .phases = {"seed", "walk", "reduce"},
                    .clock = bench::Clock::gpu},
        .tally = tally_of({1'000'000, 1'000'000, 1'000'000}, estimand),
        .threads = 256,
        .launches = 3,
        .batch = 1,
        .kernel_ms = {4, 1, 2},
        .phases_ms = {{1.5, 2, 0.5}, {0.25, 0.5, 0.25}, {0.75, 1, 0.25}},
        .work = {1e6, 1e6, 1e6},
        .gpu = bench::GpuSide{.blocks = 264,
                              .kernel = bench::KernelFacts{.registers = 32, .shared_bytes = 8192, .occupancy = 0.75},
                              .sm_clock_mhz = 1965.5,
                              .power_w = 250},
        .warnings = {"the first", "the second, with a\nline break"},
    };
}

/// The same launches, with --launches 3.
inline Run pooled_run() {
    Run result = run();
    result.occasion = bench::Occasion::pooled;
    return result;
}

inline Context cpu_context() {
    Context result = context();
    result.device.reset();
    result.driver.reset();
    result.runtime.reset();
    return result;
}

inline Run cpu_run() {
    Run result = run();
    result.subject.step = "cpu_openmp";
    result.subject.after.reset();
    result.subject.phases = {"walk"};
    result.subject.clock = bench::Clock::wall;
    result.threads = 16;
    result.gpu.reset();
    result.cpu = {.streams = 4096, .isa = "x86-64-v4"};
    return result;
}

/// A worker with this number of launches and this rate.
inline bench::TeamMember member(std::uint64_t launches, std::optional<double> launches_per_ms) {
    bench::TeamMember result = {{{"NVIDIA H200", {}}, {}, "a"}, launches, launches_per_ms, {}, {}};
    return result;
}

/// The run on devices 2 and 0 of one process; the second had no launch.
inline Run run_of_devices() {
    Run result = run();
    bench::TeamMember first = member(3, 0.5), second = member(0, {});
    first.facts.worker.device = 2;
    first.sm_clock_mhz = 1964.96;
    first.power_w = 250.04;
    second.facts.worker.device = 0;
    result.team = bench::TeamSide{bench::Scaling::strong, {{4.5, 1.25, 2.0000000004}, {first, second}}};
    return result;
}

/// The run on three MPI ranks of two hosts.
inline Run run_of_ranks() {
    Run result = run();
    std::vector<bench::TeamMember> members(3, member(1, 0.25));
    for (int rank = 0; rank < 3; rank++) members[static_cast<std::size_t>(rank)].facts.rank = rank;
    members[1].facts.host = std::string(1, 'b');  // g++ 12 warns of the assignment of "b"
    members[1].facts.worker.device = 1;
    result.team = bench::TeamSide{bench::Scaling::weak, {{5, 2, 3}, members}};
    return result;
}

/// A pooled run that an earlier part finished.
inline Run run_with_nothing_left(const bench::Estimand& estimand = sample_estimand::walks) {
    Run result = run(estimand);
    result.occasion = bench::Occasion::pooled;
    result.kernel_ms.clear();
    result.phases_ms.clear();
    result.work.clear();
    result.gpu->sm_clock_mhz.reset();
    result.resumed_from = 3;
    return result;
}

}  // namespace sample_runs
