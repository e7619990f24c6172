// The plan of a run, and its stages in order. Each has a file of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/options/options.hpp"
#include "bench/record/record.hpp"
#include "bench/replay.hpp"
#include "bench/run/saver.hpp"
#include "bench/step.hpp"
#include "bench/tally.hpp"
#include "bench/workers/team.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/world.hpp"

namespace bench {

struct Plan {
    std::string program;  // the name of the run, on stderr and in records: "options_a5_steps64"
    std::string ladder;
    std::string version;  // of the step: "a5_steps64"
    Options options;
    Step step;      // as the program's own options make it
    Step launched;  // that, or whole calls of it
    LaunchSpec spec;

    std::vector<int> devices = {};      // of this process; none on the CPU
    bool is_team = false;               // the user named the devices, or a launcher started the program
    unsigned workers = 1;               // share the launches: GPUs; on the CPU, MPI ranks
    std::optional<Warning> crowd = {};  // why the rate means nothing, if workers share a GPU or cores

    std::optional<Rehearsed> rehearsed = {};  // empty if the host cannot replay the step
    std::optional<Resumed> resumed = {};      // until its saver takes it
    std::vector<Stored> judged = {};          // runs of --judge
};

/// Makes the plan of a run, before anything is launched. The specification is that of rank 0. Collective. Throws UsageError,
/// NoGpuError and WriteError.
Plan settle(World& world, const std::string& program, const std::string& ladder, const Step& step,
            const Options& options);

/// Throws UsageError if this process runs a different program than rank 0. Collective.
void require_same_program(World& world, const std::string& program);

/// Prints the CUDA devices, if the options fit the step. Collective.
void list_devices(World& world, const std::string& program, const Step& step, const Options& options);

/// The workers of this process, ready to launch. On each GPU, and on the CPU, the step has been rehearsed, and the plan
/// knows how much of it. Collective. Throws VerdictError if a rehearsal fails.
std::vector<std::unique_ptr<Worker>> rehearsed_workers(World& world, Plan& plan);

/// All workers of the run, commanded by rank 0. The others serve() it.
Team team_of(World& world, const Plan& plan, std::vector<std::unique_ptr<Worker>> workers);

/// What saves the run, from its first launch or from where the resumed run stands; null without a checkpoint. Takes
/// Plan::resumed. Throws UsageError if that cannot lead to the goal, and warns if another program may have begun it.
std::unique_ptr<Saver> saver_of(Plan& plan, const Tally& tally);

/// Measures with a progress line. Starts from the checkpoint, if there is one, and saves there. The team adds its
/// launches to `tally`; those of the warm-up are discarded. A signal between timings ends the run as end_interrupted() does.
/// Runs nothing if an earlier part did all launches.
Measurement measure(const Plan& plan, Team& team, Tally& tally, Saver* saver);

/// Throws VerdictError unless the tally holds this number of launches. No record is saved of a tally that does not: the
/// next part of the run would begin with another launch than it should.
void require_counted(const Tally& tally, std::uint64_t launches);

/// Throws VerdictError unless the tally holds exactly `launches` launches and passes its estimand's verdict.
void judge_all(const Tally& tally, std::uint64_t launches);

/// The verdict on a finished run. Throws VerdictError, UsageError if --max-time left too few launches for an error estimate, and
/// after a signal as end_interrupted().
void judge(const Plan& plan, const Record& run, const Saver* saver);

/// Ends a run that a signal interrupted. Throws Interrupted, with the exit code of the signal, or WriteError if its
/// record could not be saved. A pooled run that finished some `launches` of `all_launches` is judged and its
/// estimate printed first; throws VerdictError if the verdict fails.
[[noreturn]] void end_interrupted(const Plan& plan, const Tally& tally, std::uint64_t launches,
                                  std::uint64_t all_launches, const Saver* saver);

/// Adds the runs in the files of --judge and publishes their sum. Throws UsageError unless they are launches of one seed and
/// shape, and each launch is in one of them; VerdictError if the sum, or one of them that is long enough, fails its verdict.
void judge_stored(const Plan& plan);

/// The record of a run as far as it came. It has no rate and no outcome: its verdict is not known.
Record record_so_far(const Plan& plan, const Tally& tally, const Saver* saver, std::uint64_t goal);

/// Whether the power of GPUs is measured. A pooled run does a fixed amount of work: no further launches for a second. A whole call
/// has no power of its own, and a run of less than a second shall not last longer for it.
bool wants_power(const Plan& plan);

/// The record of a finished measurement.
Record record_of(const Plan& plan, Team& team, const Measurement& measured, const Tally& tally, const Saver* saver);

/// Writes a run that passed its verdict: to its checkpoint, JSON and the estimand's files if the options ask for them, the report to
/// stdout, warnings to stderr.
void publish(const Plan& plan, const Record& run, Saver* saver);

}  // namespace bench
