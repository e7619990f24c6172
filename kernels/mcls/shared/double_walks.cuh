// Histories with cuRAND's XORWOW and tables in double precision. Kernels and host replays walk the same paths: nothing in
// a path is rounded differently. Sums of tallies are, as doubles are added in any order.
#pragma once

#include <cstdint>

#include "bench/step.hpp"
#include "kernels/mcls/shared/double_tables.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/random/curand.cuh"
#include "kernels/random/stream_seed.cuh"

namespace mcls {

/// The random numbers of a thread, in (0, 1].
class Uniforms {
 public:
    __host__ __device__ explicit Uniforms(const curandState_t& state) : state_(state) {}
    __host__ __device__ __forceinline__ double next() { return curand_uniform_double(&state_); }
    __host__ __device__ const curandState_t& state() const { return state_; }

 private:
    curandState_t state_;
};

/// A seed for the generator of one thread of one launch.
__host__ __device__ __forceinline__ std::uint64_t own_seed(const bench::StreamId& id) {
    const std::uint64_t high = rng::stream_seed(id.seed, id.launch, id.thread, 0);
    return high << 32 | rng::stream_seed(id.seed, id.launch, id.thread, 1);
}

/// What adjoint histories need: they start at a state drawn by |b|. `rows` are those of the transposed H.
template <class Rows>
struct AdjointTables {
    DoubleStarts starts;
    Rows rows;
    Limits limits;
};

/// Walks a history from a state. Calls add(entry of x, amount) for each visit and returns the number of transitions.
template <class Loads, class Rows, class Numbers, class Add>
__host__ __device__ __forceinline__ std::uint32_t adjoint_history_from(std::uint32_t state,
                                                                       const AdjointTables<Rows>& tables,
                                                                       Numbers& numbers, Add add) {
    const auto move = [&](std::uint32_t from, double u) { return move_from<Loads>(tables.rows, from, u); };
    return walk(start_at<Loads>(tables.starts, state), move, tables.limits, numbers, add);
}

/// Draws the state, too.
template <class Loads, class Rows, class Numbers, class Add>
__host__ __device__ __forceinline__ std::uint32_t adjoint_history(const AdjointTables<Rows>& tables, Numbers& numbers,
                                                                  Add add) {
    const std::uint32_t state = start_state<Loads>(tables.starts, numbers.next());
    return adjoint_history_from<Loads>(state, tables, numbers, add);
}

/// What forward histories need: they start at the entry of x that they are tallied in. `rows` are those of H.
template <class Rows>
struct ForwardTables {
    const double* b;
    Rows rows;
    Limits limits;
    std::uint64_t histories_of_entry;
};

/// Walks a history of an entry. Calls add(amount) for each visit and returns the number of transitions.
template <class Loads, class Rows, class Numbers, class Add>
__host__ __device__ __forceinline__ std::uint32_t forward_history(std::uint32_t entry,
                                                                  const ForwardTables<Rows>& tables, Numbers& numbers,
                                                                  Add add) {
    const auto move = [&](std::uint32_t from, double u) { return move_from<Loads>(tables.rows, from, u); };
    const auto visit = [&](std::uint32_t state, double weight) { add(weight * Loads::Start::load(tables.b + state)); };
    return walk(Start{entry, 1}, move, tables.limits, numbers, visit);
}

}  // namespace mcls
