// What a run is to do, settled before anything is launched.
#pragma once

#include <cstdint>
#include <string>

#include "bench/cli/options.hpp"
#include "bench/contract.hpp"
#include "bench/estimands/spread.hpp"
#include "bench/keep/saver.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/record.hpp"

namespace bench {

/// Samples of a launch of `streams` streams; throws UsageError beyond 2^63, and beyond the points of a set of them, if there
/// is one.
std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters, std::uint64_t points_of_set = 0);

/// The stopping rule that the options ask for, with `workers` times the work where that scales weakly. Throws UsageError if all
/// launches together pass 2^63 samples, or if so many as were asked for are too few for an error estimate.
StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch,
                           Independent independent = Independent::samples, unsigned workers = 1);

/// Throws UsageError, naming `asked`, where so many launches are too few for an error estimate.
void require_enough_launches(const std::string& asked, std::uint64_t launches, Independent independent);

/// What the launches of a run are made of; the same in all its processes.
struct Work {
    std::uint64_t seed;
    Shape shape;  // none on the CPU
    unsigned iters;
    std::uint64_t samples_per_launch;
    Units units = {};
};

/// What a program is to do, once its options are settled.
struct Plan {
    std::string program;  // "pi_v7", which speaks on stderr
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
