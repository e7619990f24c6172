// The kernel of v19, for the step and its ablations.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/shared/short_rows.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// Tallies in global memory, by places of states.
struct PlaceTallies {
    Tallies tallies;
    const std::uint32_t* entry_of;

    __device__ __forceinline__ void add(std::uint32_t place, std::int64_t amount) const {
        tallies.add(entry_of[place], amount);
    }
};

/// Walks the histories of the block, with all tallies in shared memory. All threads of the block call it.
__device__ __forceinline__ void walk_short_rows(const Adjoint<ShortRows>& method, const PhiloxKeys& keys,
                                                std::uint32_t launch, std::uint64_t histories, const Counts& counts) {
    extern __shared__ std::uint32_t low[];
    const SharedTallies tallies(low, 0, method.rows.n, PlaceTallies{counts.tallies(), method.rows.entry_of});
    const Share share(histories);
    const Work done = walk_share(share, method, keys, launch, [&](std::uint32_t state, std::int64_t amount) {
        tallies.add_inside(ShortState::place(state), amount);
    });
    counts.add_work(done);
    tallies.flush();
}

/// For Design::shared_bytes: the tallies.
inline std::size_t bytes_of_place_tallies(const Walks& walks, unsigned) { return walks.n * sizeof(std::uint32_t); }

}  // namespace mcls
