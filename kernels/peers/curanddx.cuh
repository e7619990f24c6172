// What the peers with cuRANDDx share: the device API that NVIDIA offers in place of cuRAND's.
#pragma once

#include <cstdint>
#include <cstring>
#include <curanddx.hpp>
#include <string>

#include "kernels/peers/report.hpp"
#include "kernels/random/thread_id.cuh"

namespace peers {

// A generator for one thread. The architecture that is named chooses no code.
using Philox = decltype(curanddx::Generator<curanddx::philox4_32>() + curanddx::PhiloxRounds<10>() +
                        curanddx::SM<800>() + curanddx::Thread());
using Pcg = decltype(curanddx::Generator<curanddx::pcg>() + curanddx::SM<800>() + curanddx::Thread());

/// The stream of this thread in a launch, chosen as by the steps that draw from cuRAND.
template <typename Rng>
__device__ Rng stream_of_thread(std::uint64_t seed, std::uint64_t launch) {
    return Rng(seed, launch * rng::grid_threads() + rng::grid_thread(), 0);
}

/// Four numbers of a distribution, as the generator gives them.
template <typename Distribution, typename Rng>
__device__ __forceinline__ float4 four_of(Distribution& distribution, Rng& rng) {
    if constexpr (Rng::is_generator_philox) {
        return distribution.generate4(rng);
    } else if constexpr (Distribution::template max_pack_size<curanddx::generator_of_v<Rng>> > 1) {
        const float2 first = distribution.generate2(rng), second = distribution.generate2(rng);
        return {first.x, first.y, second.x, second.y};
    } else {
        return {distribution.generate(rng), distribution.generate(rng), distribution.generate(rng),
                distribution.generate(rng)};
    }
}

/// The facts of a peer with a generator.
template <typename Rng>
Facts curanddx_facts(std::uint64_t samples_per_launch) {
    constexpr bool is_philox = Rng::is_generator_philox;
    return {is_philox ? "curanddx_philox" : "curanddx_pcg",
            "cuRANDDx " + std::to_string(CURANDDX_VERSION_MAJOR) + '.' + std::to_string(CURANDDX_VERSION_MINOR) + '.' +
                std::to_string(CURANDDX_VERSION_PATCH),
            is_philox ? "Philox4x32-10" : "PCG XSH-RR 64/32", samples_per_launch};
}

/// Runs a peer with the generator that its first argument names, "philox" or "pcg". Returns the exit code.
template <typename Philox, typename Pcg>
int run_named(const char* program, int argc, char** argv, Philox with_philox, Pcg with_pcg) {
    if (argc == 2 && std::strcmp(argv[1], "philox") == 0) return run(program, with_philox);
    if (argc == 2 && std::strcmp(argv[1], "pcg") == 0) return run(program, with_pcg);
    return complain(program, bench::exit_usage, "one argument: philox or pcg");
}

}  // namespace peers
