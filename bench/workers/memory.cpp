#include "bench/workers/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "bench/errors.hpp"
#include "bench/text.hpp"

namespace bench {

std::size_t available_memory() {
    std::ifstream meminfo("/proc/meminfo");
    for (std::string name; meminfo >> name;) {
        std::size_t kib = 0;
        if (name == "MemAvailable:" && meminfo >> kib) return kib * 1024;
        std::getline(meminfo, name);
    }
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void require_bytes(std::size_t needed, std::size_t available, const char* kind) {
    if (needed > available) {
        throw UsageError(fmt::format("a launch needs {} bytes of {} memory: {} are available", grouped(needed), kind,
                                     grouped(available)));
    }
}

}  // namespace bench
