// Host replay for the versions that draw from cuRAND's default generator, XORWOW.
#pragma once

#include "bench/contract.hpp"
#include "kernels/device/curand.cuh"
#include "kernels/device/replay.hpp"

namespace pi {

/// Hits of one thread: subsequence k*T + t of the run's seed.
inline std::uint64_t replay_xorwow(const bench::Replay& r) {
    curandState_t rng;
    curand_init(r.seed, r.index * r.threads + r.thread, 0, &rng);
    return replay_hits(r.iters, [&] { return curand_uniform(&rng); });
}

}  // namespace pi
