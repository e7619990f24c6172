#include "kernels/mcls/launches/double_steps.hpp"
#include "kernels/mcls/shared/double_walks.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls {
namespace {

__global__ void __launch_bounds__(1024) init_states(curandState_t* states, std::uint64_t seed, std::uint64_t launch) {
    const std::uint64_t thread = rng::grid_thread();
    curand_init(own_seed({seed, launch, rng::grid_threads(), thread}), 0, 0, &states[thread]);
}

}  // namespace

std::size_t states_bytes(bench::Shape shape, unsigned) {
    return bench::bytes_of(bench::total_threads(shape), sizeof(curandState_t));
}

cudaError_t make_states(const bench::Launch& l) {
    init_states<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(static_cast<curandState_t*>(l.scratch), l.seed,
                                                                  l.index);
    return cudaGetLastError();
}

}  // namespace mcls
