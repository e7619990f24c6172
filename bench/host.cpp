#include "bench/host.hpp"

#include <fmt/chrono.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace bench {
namespace {

namespace fs = std::filesystem;

cpu_set_t at_start = {};

/// Runs before the libraries start, of which OpenMP's would bind this process, or ask for more memory than there is.
void keep_unbound(int, char**, char** environment) {
    constexpr std::string_view names[] = {
        "OMP_PROC_BIND=", "OMP_PLACES=", "GOMP_CPU_AFFINITY=", "KMP_AFFINITY=", "OMP_STACKSIZE=", "GOMP_STACKSIZE="};
    if (sched_getaffinity(0, sizeof at_start, &at_start) != 0) CPU_SET(0, &at_start);  // there is at least one
    char** end = environment;
    while (*end) end++;
    *std::remove_if(environment, end, [&](std::string_view entry) {
        return std::ranges::any_of(names, [&](std::string_view name) { return entry.starts_with(name); });
    }) = nullptr;
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**, char**) = keep_unbound;

/// What the quota of a control group leaves of `cores`: "cpu.max" of version 2 has quota and period, version 1 a file for each.
double within_group(double cores, const fs::path& group) {
    double quota = 0, period = 0;  // no number, or -1, without a quota
    if (!(std::ifstream(group / "cpu.max") >> quota >> period)) {
        std::ifstream(group / "cpu.cfs_quota_us") >> quota;
        std::ifstream(group / "cpu.cfs_period_us") >> period;
    }
    return quota > 0 && period > 0 ? std::min(cores, quota / period) : cores;
}

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
    return {cpu_model(system.machine), usable_cores(), static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN)),
            std::string(system.sysname) + " " + system.release};
}

std::string host_name() {
    utsname system = {};
    uname(&system);
    return system.nodename;
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

const cpu_set_t& cpus_at_start() { return at_start; }

unsigned cores_of_threads() {
    cpu_set_t all = at_start, own;
    std::error_code ignored;
    sched_getaffinity(0, sizeof all, &all);
    for (const auto& thread : fs::directory_iterator("/proc/self/task", ignored)) {
        if (sched_getaffinity(std::stoi(thread.path().filename()), sizeof own, &own) == 0) CPU_OR(&all, &all, &own);
    }
    return static_cast<unsigned>(CPU_COUNT(&all));
}

unsigned usable_cores() {
    static const unsigned cores = within_quota(static_cast<unsigned>(CPU_COUNT(&at_start)));
    return cores;
}

unsigned within_quota(unsigned cores, const std::string& root) {
    double left = cores;
    std::ifstream groups(fs::path(root) / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {  // "4:cpu,cpuacct:/user/job", of version 2 "0::/user/job"
        std::istringstream parts(line);
        std::string number, controllers, path;
        std::getline(std::getline(std::getline(parts, number, ':'), controllers, ':'), path);
        if (!controllers.empty() && ("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
        fs::path group = fs::path(root) / "sys/fs/cgroup" / controllers;
        for (const fs::path& part : fs::path("." + path)) left = within_group(left, group /= part);
    }
    return std::max(1u, static_cast<unsigned>(std::ceil(left)));
}

}  // namespace bench
