// The work of mcls_solve on the GPU. Each function enqueues on a stream and returns the error of doing so.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "bench/step.hpp"
#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/solve/arithmetic.cuh"

namespace mcls {

using SolveMethod = Stratified<AliasRows>;

/// What a solution works in, in device memory: n values each, unless it says otherwise.
struct SolveVectors {
    double* x;
    double* r;            // the residual
    Sizes* groups;        // groups_of_lanes values
    Sizes* sizes;         // 1, of r
    std::uint64_t* ends;  // sums of numerators
    std::uint64_t* last;  // of the starts
    Start* start;
    std::uint32_t* guide;  // to the starts: 2^Starts::guide_bits(n) values
    bench::Count* counts;  // as those of a launch of the ladder: first_tally + n values
    void* scan;            // scan_bytes values
    std::size_t scan_bytes;
};

/// SolveVectors::scan_bytes.
cudaError_t bytes_of_scan(std::uint32_t n, std::size_t* bytes);

/// x += r.
cudaError_t sweep(std::uint32_t n, const SolveVectors& vectors, cudaStream_t stream);

/// r and its sizes.
cudaError_t renew_residual(const SplitSystem& system, const SolveVectors& vectors, cudaStream_t stream);

/// The table of starts by |r|.
cudaError_t renew_starts(std::uint32_t n, const SolveVectors& vectors, cudaStream_t stream);

/// The kernel of walk_all(), and the threads of its blocks.
const void* walking_kernel();
inline constexpr unsigned walking_threads = 512;

/// Blocks of the walking kernel, and how many tallies each has in shared memory: those of all entries or none.
struct WalkGrid {
    unsigned blocks;
    std::uint32_t in_shared;
};

/// The counts of the histories of a launch.
cudaError_t walk_all(const SolveMethod& method, std::uint64_t seed, std::uint32_t launch, std::uint64_t histories,
                     const WalkGrid& grid, const SolveVectors& vectors, cudaStream_t stream);

/// x += tallies times unit.
cudaError_t add_tallies(std::uint32_t n, double unit, const SolveVectors& vectors, cudaStream_t stream);

}  // namespace mcls
