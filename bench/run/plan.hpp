// The plan of a run, made before the first launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/launch_spec.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/options/options.hpp"
#include "bench/record/record.hpp"
#include "bench/record/saver.hpp"
#include "bench/step.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {

/// The stopping rule of the options. Weak scaling multiplies the work by `workers`. Throws UsageError if all launches
/// together exceed max_work, if they are too few for an error estimate, or if they are more than have random words.
StoppingRule stopping_rule(const Options& options, const Estimand& estimand, std::uint64_t work_per_launch,
                           unsigned workers = 1);

/// The most launches of one timing, unless the user says how many: the counts of all are kept until it ends.
/// @param counts published by a launch
unsigned most_at_once(std::uint64_t counts);

/// Throws UsageError, naming the option `asked`, if `launches` are too few for an error estimate.
void require_enough_launches(const std::string& asked, std::uint64_t launches, const Estimand& estimand);

/// The work of a program, with its options settled.
struct Plan {
    std::string program;  // its name on stderr
    const Options& options;
    Subject subject;
    Work work;
    unsigned threads;         // per block; on the CPU, in total
    LaunchShape launch = {};  // for the checkpoint
    unsigned workers = 1;     // share the launches: GPUs; on the CPU, MPI ranks
    Saver* saver = nullptr;   // null without a checkpoint
};

/// The stopping rule of a plan, which also knows where an earlier part of the run ended.
StoppingRule stopping_rule(const Plan& plan, const Estimand& estimand);

}  // namespace bench
