// The kernels of v1 and v8, for the steps and ablations that change what they load, draw or start from.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bench/step.hpp"
#include "kernels/mcls/launches/double_steps.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/double_walks.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls {

/// The tallies of a launch in double precision.
__device__ __forceinline__ double* doubles_of(const Counts& counts) {
    return reinterpret_cast<double*>(counts.tallies().tally);
}

/// Introduced by v1. `Numbers` are made of a thread's state.
template <class Loads, class Rows, class Numbers = Uniforms>
__global__ void __launch_bounds__(report_threads, report_resident)
    walk_adjoint(const __grid_constant__ AdjointTables<Rows> tables, const curandState_t* states,
                 std::uint64_t histories, Counts counts) {
    Numbers numbers(states[rng::grid_thread()]);
    double* const x = doubles_of(counts);
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        done.histories++;
        done.transitions += adjoint_history<Loads>(
            tables, numbers, [=](std::uint32_t entry, double amount) { atomicAdd(x + entry, amount); });
    }
    counts.add_work(done);
}

/// A phase.
template <class Loads, class Rows, class Numbers = Uniforms>
cudaError_t launch_adjoint(const bench::Launch& l) {
    walk_adjoint<Loads, Rows, Numbers><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(
        uploaded<AdjointTables<Rows>>(l), static_cast<const curandState_t*>(l.scratch), walks_of(l.problem).histories,
        Counts{l.counts});
    return cudaGetLastError();
}

/// Introduced by v8.
template <class Loads, class Rows>
__global__ void __launch_bounds__(report_threads, report_resident)
    walk_entries(const __grid_constant__ ForwardTables<Rows> tables, const curandState_t* states, Counts counts) {
    Uniforms numbers(states[rng::grid_thread()]);
    std::uint64_t transitions = 0, histories = 0;  // all of an entry: 32 bits may not hold them
    for (std::uint64_t entry = rng::grid_thread(); entry < tables.rows.n; entry += rng::grid_threads()) {
        double sum = 0;
        for (std::uint64_t i = 0; i < tables.histories_of_entry; i++) {
            histories++;
            transitions += forward_history<Loads>(static_cast<std::uint32_t>(entry), tables, numbers,
                                                  [&](double amount) { sum += amount; });
        }
        doubles_of(counts)[entry] = sum;
    }
    counts.add_work(transitions, histories);
}

/// A phase.
template <class Loads, class Rows>
cudaError_t launch_entries(const bench::Launch& l) {
    walk_entries<Loads, Rows><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(
        uploaded<ForwardTables<Rows>>(l), static_cast<const curandState_t*>(l.scratch), Counts{l.counts});
    return cudaGetLastError();
}

}  // namespace mcls
