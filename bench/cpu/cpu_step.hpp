// What a step that runs on the CPU tells the harness about itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bench/contract.hpp"

namespace bench {

/// One launch: everything that decides its counts, and where they go.
struct CpuLaunch {
    std::uint64_t seed;   // of the run
    std::uint64_t index;  // k: launches of a run are numbered from 0
    unsigned iters;       // per stream
    unsigned threads;     // of the CPU, which decide no count
    Count* counts;        // CpuStep::counts of them
    void* scratch;        // CpuStep::scratch_bytes of it
};

/// A part of a launch that is timed apart from the others.
struct CpuPhase {
    const char* name = nullptr;
    void (*run)(const CpuLaunch&) = nullptr;
};

/// A step on the CPU. A launch is a fixed number of streams, however many cores share them.
struct CpuStep {
    const char* name;         // "cpu_openmp"
    const char* serial_name;  // on one thread: "cpu_serial"
    const char* title;
    const char* technique;
    const char* serial_technique;
    const char* lesson;
    std::shared_ptr<const Estimand> estimand;
    unsigned streams;  // per launch
    unsigned default_iters;
    std::size_t counts = 1;         // published by a launch
    std::size_t scratch_bytes = 0;  // memory kept between the phases of a launch
    const char* (*isa)();           // instruction set of the loop that runs on this machine

    /// Threads that a launch on `threads` threads would really get.
    unsigned (*team_size)(unsigned threads);

    CpuPhase phases[max_phases];  // in their order, one at least
};

}  // namespace bench
