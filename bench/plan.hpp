// What a run is to do, settled before anything is launched.
#pragma once

#include <cstdint>
#include <string>

#include "bench/cli/options.hpp"
#include "bench/contract.hpp"
#include "bench/keep/saver.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/record.hpp"
#include "bench/work.hpp"

namespace bench {

/// The stopping rule that the options ask for, with `workers` times the work where that scales weakly. Throws UsageError if all
/// launches together pass max_work, or if so many as were asked for are too few for an error estimate.
StoppingRule stopping_rule(const Options& options, const Estimand& estimand, std::uint64_t work_per_launch,
                           unsigned workers = 1);

/// Throws UsageError, naming `asked`, where so many launches are too few for an error estimate.
void require_enough_launches(const std::string& asked, std::uint64_t launches, const Estimand& estimand);

/// What a program is to do, once its options are settled.
struct Plan {
    std::string program;  // which speaks on stderr
    const Options& options;
    Subject subject;
    Work work;
    unsigned threads;         // per block; of the CPU
    LaunchShape launch = {};  // as a checkpoint has it
    unsigned workers = 1;     // that share the launches: GPUs; on the CPU, MPI ranks
    Saver* saver = nullptr;   // of a run with a checkpoint
};

/// The stopping rule of a plan: that of its options, and where an earlier part of the run ended.
StoppingRule stopping_rule(const Plan& plan);

}  // namespace bench
