// Walks on a system, for tests that choose no options.
#pragma once

#include <string>

#include "kernels/mcls/system/splitting.hpp"
#include "kernels/mcls/system/systems.hpp"
#include "kernels/mcls/tables/tables.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

inline Walks walks_on(const Splitting& system) {
    const Sparse b = transposed(system.h);
    Walks walks;
    walks.n = b.n;
    walks.histories = 1000;
    walks.limits = {10'000, 1e-9};
    walks.scale = 0x1p20;
    walks.b = system.b;
    walks.starts = start_table(system.b);
    walks.first = b.first;
    walks.column = b.column;
    walks.value = b.value;
    return walks;
}

inline Walks walks_on(const std::string& name) { return walks_on(jacobi(built_in(name))); }

}  // namespace mcls
