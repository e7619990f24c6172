// What the peers with cuRANDDx share: the device API that NVIDIA offers in place of cuRAND's. Its PCG is no peer: as
// subsequences of one seed, one for each thread, its hits were ten sd from pi over 1.4e11 samples.
#pragma once

#include <cstdint>
#include <curanddx.hpp>
#include <string>

#include "kernels/peers/report.hpp"
#include "kernels/random/thread_id.cuh"

namespace peers {

// A generator for one thread. The architecture that is named chooses no code.
using Philox = decltype(curanddx::Generator<curanddx::philox4_32>() + curanddx::PhiloxRounds<10>() +
                        curanddx::SM<800>() + curanddx::Thread());

/// The stream of this thread in a launch, chosen as by the steps that draw from cuRAND.
__device__ inline Philox stream_of_thread(std::uint64_t seed, std::uint64_t launch) {
    return Philox(seed, launch * rng::grid_threads() + rng::grid_thread(), 0);
}

/// The facts of a peer.
inline Facts curanddx_facts(std::uint64_t samples_per_launch) {
    return {"curanddx",
            "cuRANDDx " + std::to_string(CURANDDX_VERSION_MAJOR) + '.' + std::to_string(CURANDDX_VERSION_MINOR) + '.' +
                std::to_string(CURANDDX_VERSION_PATCH),
            "Philox4x32-10", samples_per_launch};
}

}  // namespace peers
