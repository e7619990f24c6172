// One run as it is recorded, and the rates that follow from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/cli/options.hpp"
#include "bench/contract.hpp"
#include "bench/keep/build_info.hpp"
#include "bench/keep/host_facts.hpp"
#include "bench/measure/statistics.hpp"
#include "bench/tally.hpp"
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

/// What was run: a step of a ladder.
struct Subject {
    std::string ladder;
    std::string step;  // "v7"
    std::string title;
    std::string technique;
    std::optional<std::string> after;  // the step that it builds on
    std::vector<std::string> phases;   // of a launch
    const Estimand* estimand;
};

/// What only a run on a GPU has.
struct GpuSide {
    unsigned blocks;
    int registers;
    std::size_t shared_bytes;            // per block, static and dynamic
    double occupancy;                    // resident warps of the possible, from the occupancy API
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

/// Of a finished run.
struct Run {
    Subject subject;
    Tally tally;
    bool pooled = false;  // a run of fixed work, for the estimate's sake
    unsigned threads;     // per block; of the CPU
    std::uint64_t launches;
    unsigned batch;
    std::vector<double> kernel_ms;      // per launch
    std::vector<PhaseTimes> phases_ms;  // likewise
    std::optional<GpuSide> gpu = {};
    std::optional<CpuSide> cpu = {};
    std::vector<std::string> warnings;
    std::optional<TeamSide> team = {};
    std::optional<std::uint64_t> resumed_from = {};  // launches done by an earlier part, which the times leave out
};

/// The occasion on which its estimate is told.
Occasion occasion_of(const Run& run);

/// The times of a phase of the subject, per launch.
std::vector<double> times_of_phase(const Run& run, std::size_t phase);

/// Units of work of a launch; of launches that differ, their mean.
double work_per_launch(const Run& run);

/// A soundness in words: "sound" (of whole words), "sound for 24-bit coordinates", "sound in bit planes", "quasi-random", "not
/// tested", "demonstration only".
const char* soundness_text(Soundness soundness);

/// Rates of a run, in units of work per nanosecond. Throws std::invalid_argument where nothing was timed.
Summary per_ns(const Run& run);

/// Rate of independent units that would tell as much, per nanosecond: the median over the estimand's variance ratio. Nothing
/// where there is none, or nothing was timed.
std::optional<double> effective_per_ns(const Run& run);

/// Rate of a member of a team over its own launches, per nanosecond; nothing of one that had none.
std::optional<double> per_ns(const TeamMember& member, const Run& run);

/// Units of work per joule. Nothing where no power was measured, or nothing was timed.
std::optional<double> per_joule(const Run& run);

}  // namespace bench
