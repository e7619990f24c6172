// The cores that this process may use, whatever OpenMP is told to bind it to.
#pragma once

#include <sched.h>

#include <string>

namespace bench {

/// Those that it was given when it started.
const cpu_set_t& cpus_at_start();

/// How many of them its threads may still run on, all together. Fewer, if something bound the threads since.
unsigned cores_of_threads();

/// How many of them it may use: all, or what a CPU quota leaves of them.
unsigned usable_cores();

/// What the CPU quotas of this process's control groups leave of `cores`. `root` is where /proc and /sys are.
unsigned within_quota(unsigned cores, const std::string& root = "/");

/// How many this machine has.
unsigned cores_of_machine();

}  // namespace bench
