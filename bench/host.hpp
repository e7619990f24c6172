// What this process runs on: a machine, its clocks, and the cores that it may use, whatever OpenMP is told to bind it to.
// .cu files include it, so it is C++17.
#pragma once

#include <sched.h>

#include <chrono>
#include <string>

namespace bench {

/// Facts of the machine that a result was measured on.
struct HostFacts {
    std::string cpu;         // model name
    unsigned cores;          // logical, usable by this process
    unsigned machine_cores;  // of all that there are
    std::string os;          // kernel name and release
};

HostFacts host_facts();

/// Network name of this machine.
std::string host_name();

/// Now, as UTC in ISO 8601: 2026-01-31T23:59:59Z.
std::string utc_now();

/// Seconds of a monotonic clock.
inline double monotonic_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The cores that this process was given when it started.
const cpu_set_t& cpus_at_start();

/// How many of them its threads may still run on, all together. Fewer, if something bound the threads since.
unsigned cores_of_threads();

/// How many of them it may use: all, or what a CPU quota leaves of them.
unsigned usable_cores();

/// What the CPU quotas of this process's control groups leave of `cores`. `root` is where /proc and /sys are.
unsigned within_quota(unsigned cores, const std::string& root = "/");

}  // namespace bench
