// Facts of the machine that a result was measured on.
#pragma once

#include <string>

namespace bench {

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

}  // namespace bench
