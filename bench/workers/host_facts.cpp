#include "bench/workers/host_facts.hpp"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>

#include "bench/cores.hpp"

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

}  // namespace

HostFacts host_facts() {
    utsname system = {};
    uname(&system);
    return {cpu_model(system.machine), usable_cores(), cores_of_machine(),
            std::string(system.sysname) + " " + system.release};
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
