// What the CPU baseline tells the harness about itself.
#pragma once

#include <cstdint>

#include "bench/contract.hpp"

namespace bench {

/// The CPU baseline. A launch is a fixed number of streams, however many cores share them.
struct CpuBaseline {
    const char* title;
    const char* technique;
    const char* lesson;
    const char* generator;
    Soundness soundness;
    Expectation expected;
    unsigned streams;  // per launch
    unsigned default_iters;
    const char* (*isa)();  // instruction set of the loop that runs on this machine

    /// Threads that a launch on `threads` threads would really get.
    unsigned (*team_size)(unsigned threads);

    /// Hits of launch number `index`: `streams` streams of `iters` samples, on `threads` CPU threads.
    std::uint64_t (*launch)(std::uint64_t seed, std::uint64_t index, unsigned iters, unsigned threads);
};

}  // namespace bench
