// The pools and chi factors that a launch of Wallace's generator starts with: made on the GPU, in a phase of the launch.
//
// The source makes them on the CPU, a set while the GPU uses the one before. Here a launch depends on the run's seed and
// its own number alone, and the host does not limit its rate. So each launch fills its pools with normals from sound words
// (Philox, Box-Muller), scales them to a sum of squares of K, and stores the factor of each pass.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "bench/step.hpp"

namespace rng {

/// Of a launch. Block b has the pool pools[2048 b] to pools[2048 b + 2047], and factors[passes b] to
/// factors[passes b + passes - 1].
struct WallaceMemory {
    float* pools;
    float* factors;
    unsigned passes;  // of a block
};

/// Its bytes.
std::size_t wallace_bytes(unsigned blocks, std::uint64_t passes);

/// Lays it out at `at`. Each block makes `passes` passes for each of l.iters.
WallaceMemory wallace_memory(void* at, const bench::Launch& l, unsigned passes);

/// Enqueues the kernel that fills it: a phase. Returns its error.
cudaError_t fill_wallace_memory(const bench::Launch& l, const WallaceMemory& memory);

}  // namespace rng
