// One run as it is recorded, and the rates that follow from it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/cli/options.hpp"
#include "bench/contract.hpp"
#include "bench/estimands/law.hpp"
#include "bench/estimands/spread.hpp"
#include "bench/keep/build_info.hpp"
#include "bench/keep/host_facts.hpp"
#include "bench/measure/statistics.hpp"
#include "bench/team/team.hpp"

namespace bench {

struct DeviceFacts {
    std::string name;
    int major;  // compute capability
    int minor;
    int multiprocessors;
    double max_clock_mhz;
    double memory_gib;
    bool ecc;
};

/// Where a run was measured. The CPU baseline has no device, driver and runtime.
struct Context {
    std::string date;
    BuildInfo build;
    HostFacts host;
    std::optional<DeviceFacts> device;
    std::optional<std::string> driver;
    std::optional<std::string> runtime;
};

/// What was run.
struct Subject {
    std::string version;  // "v7"
    std::string title;
    std::string technique;
    std::string generator;
    Soundness soundness;
    Law law;
    double cycle_samples = std::numeric_limits<double>::infinity();  // that use up the generator's whole cycle
    std::optional<std::string> after = {};                           // the step that the version builds on: "v6"
};

/// What only a run on a GPU has.
struct GpuSide {
    unsigned blocks;
    int registers;
    std::size_t shared_bytes;  // per block, static and dynamic
    double occupancy;          // resident warps of the possible, from the occupancy API
    std::optional<double> setup_ms;
    std::optional<double> sm_clock_mhz;  // of several GPUs, the median
    std::optional<double> power_w;       // of several GPUs, the sum
};

/// What only a run on the CPU has.
struct CpuSide {
    unsigned streams;
    std::string isa;  // of the loop that ran: "x86-64-v4"
};

/// What only a run has that several workers shared.
struct TeamSide {
    Scaling scaling;
    TeamReport report;
};

struct Run {
    Subject subject;
    std::uint64_t seed;
    unsigned threads;  // per block; of the CPU
    unsigned iters;
    std::uint64_t samples_per_launch;
    std::uint64_t launches;
    unsigned batch;
    std::vector<double> kernel_ms;  // per launch
    Outcome outcome;
    std::optional<std::vector<Outcome>> trace;  // of a pooled run: how the outcome came about
    std::optional<Spread> spread = {};
    std::optional<GpuSide> gpu;
    std::optional<CpuSide> cpu;
    std::vector<std::string> warnings;
    std::optional<TeamSide> team = {};
    std::optional<std::uint64_t> resumed_from = {};  // launches done by an earlier part, which the times leave out
};

/// The verdict on a source in words: "sound" (of whole words), "sound for 24-bit coordinates", "sound in bit planes",
/// "quasi-random", "not tested", "demonstration only".
const char* soundness_text(Soundness soundness);

/// Rates of a run, in samples per nanosecond. Throws std::invalid_argument where nothing was timed.
Summary samples_per_ns(const Run& run);

/// Rate of independent samples that would tell as much, in samples per nanosecond: the median over the variance ratio, the
/// known one or, of point sets, the measured one. Nothing where the samples are independent, where there is no spread, or
/// where nothing was timed.
std::optional<double> effective_samples_per_ns(const Run& run);

/// Rate of a member of a team over its own launches, in samples per nanosecond; nothing of one that had none.
std::optional<double> samples_per_ns(const TeamMember& member, const Run& run);

/// Nothing where no power was measured, or nothing was timed.
std::optional<double> samples_per_joule(const Run& run);

}  // namespace bench
