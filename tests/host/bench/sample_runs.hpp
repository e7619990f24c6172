// Runs as programs record them, for tests of what is made of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/record.hpp"

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

/// Three launches of a million samples in 1, 2 and 4 ms: 1, 0.5 and 0.25 samples/ns.
inline Run run() {
    return {
        .subject = {.version = "v7",
                    .title = "Xorshift32",
                    .technique = "own \"generator\"",
                    .generator = "xorshift32 (13, 17, 5)",
                    .soundness = bench::Soundness::demonstration,
                    .law = {{1, 2}},
                    .after = "v6"},
        .seed = 0xffffffffffffffff,
        .threads = 256,
        .iters = 1000,
        .samples_per_launch = 1'000'000,
        .launches = 3,
        .batch = 1,
        .kernel_ms = {4, 1, 2},
        .outcome = {.hits = 1'500'000, .samples = 3'000'000},
        .trace = {},
        .gpu = bench::GpuSide{.blocks = 264,
                              .registers = 32,
                              .shared_bytes = 8192,
                              .occupancy = 0.75,
                              .setup_ms = 0.125,
                              .sm_clock_mhz = 1965.5,
                              .power_w = 250},
        .cpu = {},
        .warnings = {"the first", "the second, with a\nline break"},
    };
}

/// The same launches, as --launches 3 runs them.
inline Run pooled_run() {
    Run result = run();
    result.trace = {{500'400, 1'000'000}, {999'900, 2'000'000}, {1'500'000, 3'000'000}};
    return result;
}

/// The same launches, if every sample hit, as it must.
inline Run certain_run() {
    Run result = pooled_run();
    result.subject.law.expected = {1, 1};
    result.outcome = {3'000'000, 3'000'000};
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
    result.subject.version = "cpu_openmp";
    result.subject.after.reset();
    result.threads = 16;
    result.gpu.reset();
    result.cpu = {.streams = 4096, .isa = "x86-64-v4"};
    return result;
}

/// Launches of which only a part is independent, with a spread of its units: a variance of 0.04, a fifth of the sd. Of
/// blocks a variance of 0.16 is known.
inline Run dependent(Run result, bench::Independent independent, std::uint64_t units = 40) {
    result.subject.law.independent = independent;
    if (independent == bench::Independent::counts) result.subject.law.variance_ratio = 0.16;
    const auto over =
        independent == bench::Independent::launches ? bench::UnitOfSpread::launch : bench::UnitOfSpread::block;
    result.spread = bench::Spread{over, units, 0.04, 0.009};
    return result;
}

inline constexpr bench::Expectation lcg_mantissa = {3373260247, 4294967296.0};  // 4 P - pi = 7.6449e-7

/// A pooled run of v11's generator over 10^11 samples, half an sd (1.298e6 hits each in 10^11) over its expectation.
inline Run run_of_lcg_mantissa() {
    Run result = pooled_run();
    result.subject.soundness = bench::Soundness::sound;
    result.subject.law.expected = lcg_mantissa;
    result.outcome = {78'539'900'372, 100'000'000'000};
    return result;
}

/// What a worker did: launches at so many a millisecond.
inline bench::TeamMember member(std::uint64_t launches, std::optional<double> launches_per_ms) {
    bench::TeamMember result = {{{"NVIDIA H200", {}}, {}, "a"}, launches, launches_per_ms, {}, {}};
    return result;
}

/// The run, by devices 2 and 0 of one process, of which the second had no launch.
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

/// The run, by three MPI ranks on two hosts.
inline Run run_of_ranks() {
    Run result = run();
    std::vector<bench::TeamMember> members(3, member(1, 0.25));
    for (int rank = 0; rank < 3; rank++) members[static_cast<std::size_t>(rank)].facts.rank = rank;
    members[1].facts.host = std::string(1, 'b');  // g++ 12 warns of the assignment of "b"
    members[1].facts.worker.device = 1;
    result.team = bench::TeamSide{bench::Scaling::weak, {{5, 2, 3}, members}};
    return result;
}

/// The pooled run, all of it done by an earlier part.
inline Run run_with_nothing_left() {
    Run result = pooled_run();
    result.kernel_ms.clear();
    result.gpu->setup_ms.reset();
    result.gpu->sm_clock_mhz.reset();
    result.gpu->power_w.reset();
    result.resumed_from = 3;
    return result;
}

}  // namespace sample_runs
