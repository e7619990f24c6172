// Facts of the machine that a result was measured on.
#pragma once

#include <string>

namespace bench {

struct HostFacts {
    std::string cpu;  // model name
    unsigned cores;   // logical, usable by this process
    std::string os;   // kernel name and release
};

HostFacts host_facts();

/// Cores for each of so many processes of this host that share its cores: all that this process may use where it is bound to
/// some.
unsigned usable_cores_of_one(unsigned processes);

/// Name of this machine in its network.
std::string host_name();

/// Now, as UTC in ISO 8601: 2026-01-31T23:59:59Z.
std::string utc_now();

}  // namespace bench
