// The record of a run, and its rates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/statistics.hpp"
#include "bench/options/build_info.hpp"
#include "bench/options/options.hpp"
#include "bench/step.hpp"
#include "bench/tally.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/host_facts.hpp"
#include "bench/workers/team.hpp"

namespace bench {

/// Where a run was measured. The CPU baseline has no device, driver or runtime.
struct Context {
    std::string date;
    BuildInfo build;
    HostFacts host;
    std::optional<DeviceFacts> device;
    std::optional<std::string> driver;
    std::optional<std::string> runtime;
};

/// The step that was run.
struct Subject {
    std::string ladder;
    std::string step;  // "v7"
    std::string title;
    std::string technique;
    std::optional<std::string> after;            // the step that it builds on
    std::vector<std::string> phases;             // of a launch
    Clock clock = Clock::wall;                   // that times a launch
    std::optional<HostMemory> host_memory = {};  // of a step that has arrays there
    std::optional<Traffic> traffic = {};         // of a step that moves bytes
};

/// The names of the phases of a Step or a CpuStep.
template <typename AnyStep>
std::vector<std::string> phase_names(const AnyStep& step) {
    std::vector<std::string> names;
    for (unsigned i = 0; i < phases_of(step); i++) names.emplace_back(step.phases[i].name);
    return names;
}

/// The same step, run in whole calls: their phases, by the wall clock.
Subject of_whole_calls(Subject subject);

/// Facts of a run on GPUs.
struct GpuSide {
    unsigned blocks;
    std::optional<KernelFacts> kernel;                   // empty if a library has it
    std::optional<double> sm_clock_mhz;                  // median over the GPUs
    std::optional<double> power_w;                       // sum over the GPUs
    std::optional<std::uint64_t> rehearsed_blocks = {};  // that published what the host replays; empty: not rehearsed
};

/// Facts of a run on the CPU.
struct CpuSide {
    unsigned streams;
    std::string isa;  // of the loop that ran: "x86-64-v4"
};

/// Facts of a run that several workers shared.
struct TeamSide {
    Scaling scaling;
    TeamReport report;
};

/// A finished run.
struct Run {
    Subject subject;
    Tally tally;
    Occasion occasion = Occasion::timed;
    unsigned threads;  // per block; on the CPU, in total
    std::uint64_t launches;
    unsigned batch;
    std::vector<double> kernel_ms;      // per launch
    std::vector<PhaseTimes> phases_ms;  // likewise
    std::vector<double> work;           // of these launches, likewise
    std::optional<GpuSide> gpu = {};
    std::optional<CpuSide> cpu = {};
    std::vector<std::string> warnings;
    std::optional<TeamSide> team = {};
    bool whole_calls = false;                        // timed with all that a call does around a launch
    std::optional<std::uint64_t> resumed_from = {};  // launches done by an earlier part; the times exclude them
};

/// Times of one phase, in milliseconds per launch.
std::vector<double> times_of_phase(const Run& run, std::size_t phase);

/// Median, over the timings, of a launch's time less that of its phases, in milliseconds; below 0 if phases run side by side.
double other_ms(const Run& run);

/// Mean units of work per launch.
double work_per_launch(const Run& run);

/// A soundness in words: "sound" (of whole words), "sound for 24-bit coordinates", "sound in bit planes",
/// "quasi-random", "not
/// tested", "demonstration only".
const char* soundness_text(Soundness soundness);

/// The line of --help about the random words: "Generator: MWC64X (sound)".
std::string generator_line(const Estimand& estimand);

/// Rates of a run, in units of work per nanosecond. Throws std::invalid_argument if nothing was timed.
Summary per_ns(const Run& run);

/// Median rate divided by the estimand's variance ratio: independent units at this rate would give the same precision.
/// Empty if there is no ratio or nothing was timed.
std::optional<double> effective_per_ns(const Run& run);

/// Rate of a team member over its own launches, per nanosecond; empty if it had none.
std::optional<double> per_ns(const TeamMember& member, const Run& run);

/// Units of work per joule of the GPU. Empty if no power was measured, if nothing was timed, or by the wall clock: such
/// launches work on the host too, whose power is not known.
std::optional<double> per_joule(const Run& run);

}  // namespace bench
