#include "bench/workers/check.hpp"
#include "kernels/random/thread_id.cuh"
#include "tests/gpu/mcls_on_gpu.hpp"

namespace {

constexpr unsigned threads = 128;

template <class Method>
__global__ void __launch_bounds__(threads)
    walk_all(const __grid_constant__ Method method, const __grid_constant__ mcls::PhiloxKeys keys,
             mcls::HistoryId first, std::uint64_t histories, bench::Count* tallies, bench::Count* transitions) {
    const std::uint64_t mine = rng::grid_thread();
    if (mine >= histories) return;
    const mcls::HistoryId id = {first.launch, first.history + mine};
    atomicAdd(transitions, bench::Count{method(keys, id, [&](std::uint32_t entry, std::int64_t amount) {
                  atomicAdd(&tallies[entry], static_cast<bench::Count>(amount));
              })});
}

}  // namespace

template <class Method>
void walk_on_gpu(const Method& method, std::uint64_t seed, mcls::HistoryId first, std::uint64_t histories,
                 bench::Count* tallies, bench::Count* transitions) {
    const auto blocks = static_cast<unsigned>((histories + threads - 1) / threads);
    walk_all<<<blocks, threads>>>(method, mcls::keys_of(seed), first, histories, tallies, transitions);
    CUDA_CHECK(cudaGetLastError());
}

#define FOR_METHOD(Method)                                                                                 \
    template void walk_on_gpu(const Method&, std::uint64_t, mcls::HistoryId, std::uint64_t, bench::Count*, \
                              bench::Count*);
FOR_METHOD(mcls::Adjoint<mcls::CdfRows>)
FOR_METHOD(mcls::Adjoint<mcls::AliasRows>)
FOR_METHOD(mcls::Forward<mcls::AliasRows>)
