// Counted paths in vector registers, on all cores of the host: for the step on the CPU and for the replay of those on a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/cpu/instruction_sets.hpp"
#include "kernels/mcls/shared/cpu_paths.hpp"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls::counted_paths {

/// The walk, compiled for an instruction set.
using Clone = bench::Clone<Walk>;

/// The clones that run on this machine, that with the widest vectors first.
const std::vector<Clone>& clones();

/// What the histories of a launch are counted as.
struct Walked {
    std::vector<bench::Count> cells;  // how many paths began in each cell of QuarterPaths
    bench::Count histories = 0;
};

/// Walks `histories` histories on so many threads. `method` is a view of a QuarterPathTable.
Walked walked(const Clone& clone, const QuarterPaths& method, const PhiloxKeys& keys, std::uint32_t launch,
              std::uint64_t histories, int threads);

/// The counts of a launch, after bench/estimands/solution/solution_of.hpp.
std::vector<bench::Count> counts_of(const QuarterPaths& method, const Walked& walked);

}  // namespace mcls::counted_paths
