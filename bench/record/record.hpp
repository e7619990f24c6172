// The record of a run, where and with what program it was measured, and its rates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/measure/statistics.hpp"
#include "bench/options/build_info.hpp"
#include "bench/options/options.hpp"
#include "bench/replay.hpp"
#include "bench/step.hpp"
#include "bench/tally.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/worker.hpp"

namespace bench {

/// On the CPU there is no device, driver or runtime.
struct Context {
    std::string date;
    BuildInfo build;
    HostFacts host;
    std::optional<DeviceFacts> device;
    std::optional<std::string> driver;
    std::optional<std::string> runtime;
};

/// The context of runs on a CUDA device, and of runs on the CPU.
Context gpu_context(int device);
Context cpu_context();

/// Launches `first` to `end` - 1.
struct Range {
    std::uint64_t first;
    std::uint64_t end;
};

/// A run, finished or as far as it came.
struct Record {
    std::string program = {};  // with what its own options add: "mcls_v10_sp1"
    OwnValues own = {};        // of these options
    std::string ladder;
    std::string version;  // of the step, with what its own options add: "v10_sp1"
    Step step;            // as these options make it
    Step launched;        // that, or whole calls of it
    bool whole_calls = false;
    Tally tally;  // of all parts of the run, with the specification of its launches
    Occasion occasion = Occasion::timed;
    Measurement measured = {};                       // of the last part
    std::uint64_t launches;                          // of all parts
    std::vector<Range> ranges = {};                  // of these launches, ascending
    std::uint64_t goal = 0;                          // launches of the whole run, if its work is fixed
    std::optional<std::uint64_t> resumed_from = {};  // launches done by an earlier part
    std::optional<Rehearsed> rehearsed = {};         // empty if the host cannot replay the step
    std::vector<Audit> audits = {};                  // of each worker
    std::optional<KernelFacts> kernel = {};          // empty if a library has it, and on the CPU
    std::vector<Member> members = {};                // the workers
    std::vector<double> wall_ms = {};                // per launch, until all workers were done, one for each timing
    std::optional<Scaling> scaling = {};             // of a team, on devices that the user named or under a launcher
    Context context;
    std::vector<Warning> warnings = {};
};

/// Times of one phase, in milliseconds per launch.
std::vector<double> times_of_phase(const Record& run, std::size_t phase);

/// Median, over the timings, of a launch's time less that of its phases, in milliseconds; below 0 if phases run side by side.
double other_ms(const Record& run);

/// Mean units of work per launch.
double work_per_launch(const Record& run);

/// Rates of a run, in units of work per nanosecond. Throws std::invalid_argument if nothing was timed.
Summary per_ns(const Record& run);

/// All work over all time of the timings, in units per nanosecond: below the median where some launches took long. Throws
/// std::invalid_argument if nothing was timed.
double total_per_ns(const Record& run);

/// What a run of fixed work did by the wall clock, from the start of its first timing to the end of its last.
struct ByWall {
    double per_ns;  // units of work per nanosecond
    double seconds;
    double share;  // of the time, spent in timed launches
};

/// Empty unless the work was fixed and a part of it was timed.
std::optional<ByWall> by_wall(const Record& run);

/// Median rate divided by the estimand's variance ratio: independent units at this rate would give the same precision.
/// Empty if there is no ratio or nothing was timed.
std::optional<double> effective_per_ns(const Record& run);

/// Rate of a worker over its own launches, per nanosecond; empty if it had none.
std::optional<double> per_ns(const Member& member, const Record& run);

/// The audits of all workers together, without their entropy.
Audit audit(const Record& run);

/// Median over the GPUs.
std::optional<double> sm_clock_mhz(const Record& run);

/// Of all GPUs; empty if none tells it.
std::optional<Throttle> throttle(const Record& run);

/// Sum over the GPUs, in watts. Empty unless known for each.
std::optional<double> power_w(const Record& run);

/// Units of work per joule of the GPUs. Empty if no power was measured, if nothing was timed, or by the wall clock: such
/// launches work on the host too, whose power is not known.
std::optional<double> per_joule(const Record& run);

}  // namespace bench
