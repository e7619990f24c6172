// The linear systems A x = b that are built in, by formula.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/system/sparse.hpp"

namespace mcls {

/// A linear system A x = b as it is stated.
struct System {
    std::string name;  // "lap2d", or the name of its file
    Sparse a;
    std::vector<double> b;
    /// Of each unknown: whether estimates of adjoint histories are near enough to normal to be judged. Empty: all are.
    std::vector<std::uint8_t> judged = {};
};

/// What `call` returns. A refusal that it throws names the system.
template <class Call>
auto named(const System& system, const Call& call) {
    try {
        return call();
    } catch (const bench::UsageError& refusal) {
        throw bench::UsageError(system.name + ": " + refusal.what());
    }
}

/// Names of the built-in systems: "lap2d", "shift1d", "sp1", "ad3d", "tiny4".
const std::vector<const char*>& system_names();

/// The built-in system of this name. Throws bench::UsageError, which lists the names, if there is none.
System built_in(std::string_view name);

}  // namespace mcls
