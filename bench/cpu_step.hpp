// The interface between a step on the CPU and the harness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "bench/step.hpp"

namespace bench {

/// One launch: all inputs that determine its counts, and where to store them.
struct CpuLaunch {
    std::uint64_t seed;                // of the run
    std::uint64_t index;               // k: launches of a run are numbered from 0
    unsigned iters;                    // per stream
    unsigned threads;                  // of the CPU; they do not affect the counts
    Count* counts;                     // CpuStep::counts values
    void* scratch;                     // CpuStep::scratch_bytes bytes
    const Problem* problem = nullptr;  // CpuStep::problem
};

/// A part of a launch that is timed separately.
struct CpuPhase {
    const char* name = nullptr;
    void (*run)(const CpuLaunch&) = nullptr;
};

inline std::size_t no_scratch(unsigned) { return 0; }

/// A step on the CPU. A launch has a fixed number of streams, which any number of cores share.
struct CpuStep {
    const char* name;                   // "cpu_openmp"
    const char* serial_name = nullptr;  // on one thread: "cpu_serial"; null if it is the same step there
    const char* title;
    const char* technique;
    const char* serial_technique = nullptr;
    const char* lesson;
    std::shared_ptr<const Estimand> estimand;  // as Step::estimand
    unsigned streams;                          // per launch
    unsigned default_iters;
    std::size_t counts = 1;  // number of counts that a launch publishes
    std::function<std::size_t(unsigned iters)> scratch_bytes =
        no_scratch;        // memory kept between the phases; poisoned like the counts
    const char* (*isa)();  // instruction set of the loop on this machine

    /// The number of threads that a launch on `threads` threads really gets.
    unsigned (*team_size)(unsigned threads);

    CpuPhase phases[max_phases];  // in order, at least one

    std::shared_ptr<const OwnOptions> own_options = {};  // null for most
    std::shared_ptr<const Problem> problem = {};         // from the own options
};

}  // namespace bench
