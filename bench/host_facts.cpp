#include "bench/host_facts.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>

namespace bench {
namespace {

/// The first "model name" of /proc/cpuinfo; Arm kernels print none, so the architecture stands in.
std::string cpu_model(const std::string& machine) {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.rfind("model name", 0) == 0) {
            const auto value = line.find_first_not_of(" \t", line.find(':') + 1);
            return value == std::string::npos ? machine : line.substr(value);
        }
    }
    return machine;
}

unsigned usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    return static_cast<unsigned>(CPU_COUNT(&set));
}

}  // namespace

HostFacts host_facts() {
    utsname system = {};
    uname(&system);
    return {cpu_model(system.machine), usable_cores(), std::string(system.sysname) + " " + system.release};
}

unsigned usable_cores_of_one(unsigned processes) {
    const unsigned usable = usable_cores();
    const bool bound = usable < static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
    return bound ? usable : std::max(1u, usable / processes);
}

std::string host_name() {
    utsname system = {};
    uname(&system);
    return system.nodename;
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc = {};
    gmtime_r(&now, &utc);
    char text[sizeof "2026-01-31T23:59:59Z"];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

}  // namespace bench
