// Histories walked on a GPU by the shared arithmetic, one thread each.
#pragma once

#include <cstdint>

#include "bench/step.hpp"
#include "kernels/mcls/device/walk.cuh"

/// Adds the tallies of `histories` histories to `tallies`, and their transitions to `transitions`. All pointers are to
/// device memory. For Adjoint with CdfRows or AliasRows, and Forward with AliasRows.
template <class Method>
void walk_on_gpu(const Method& method, std::uint64_t seed, mcls::HistoryId first, std::uint64_t histories,
                 bench::Count* tallies, bench::Count* transitions);
