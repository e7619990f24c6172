// The work of mcls_solve on the GPU
// Change: as v14, but histories start at the residual r of what is known of x, and their mean corrects x.
// Why:    an error that falls as 1/sqrt(N) in one launch falls by a factor in each step. Predicted on an H200, to a residual of
//         1e-8: lap2d 4 ms in 12 steps, shift1d 5 ms in 21, ad3d 17 ms in 38, sp1 15 ms in 30.
// Cost:   a new table of starts in each step: a numerator for each entry, their sums, weights. Two products with H.
// Limit:  as v14; on shift1d the passes over x, r and the table of starts; on lap2d the longest history.
// Note:   where absorption is not possible, weights end at 1e-2. What that leaves out is in the next residual.
#include <cub/device/device_scan.cuh>

#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/solve/kernels.hpp"
#include "kernels/random/thread_id.cuh"

namespace mcls {
namespace {

constexpr unsigned threads = 256;

// A thread an entry.
unsigned blocks_for(std::uint64_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

__global__ void __launch_bounds__(threads) add_residual(std::uint32_t n, SolveVectors vectors) {
    const std::uint64_t i = rng::grid_thread();
    if (i < n) vectors.x[i] += vectors.r[i];
}

__global__ void __launch_bounds__(threads) store_residual(SplitSystem system, SolveVectors vectors) {
    const std::uint64_t i = rng::grid_thread();
    if (i < system.n) vectors.r[i] = system.residual(vectors.x, static_cast<std::uint32_t>(i));
}

/// Adds up the sizes that the threads of a block have.
__device__ __forceinline__ Sizes sum_of_block(const Sizes& mine) {
    __shared__ Sizes part[lanes_of_group];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = lanes_of_group / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x].add(part[threadIdx.x + half]);
        __syncthreads();
    }
    return part[0];
}

__global__ void __launch_bounds__(lanes_of_group) add_lanes(SplitSystem system, SolveVectors vectors) {
    const auto lane = static_cast<std::uint32_t>(rng::grid_thread());
    const Sizes sum = sum_of_block(sizes_of_lane(system, vectors.r, lane));
    if (threadIdx.x == 0) vectors.groups[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(groups_of_lanes) add_groups(SolveVectors vectors) {
    static_assert(groups_of_lanes == lanes_of_group, "one block adds them");
    const Sizes sum = sum_of_block(vectors.groups[threadIdx.x]);
    if (threadIdx.x == 0) *vectors.sizes = sum;
}

__global__ void __launch_bounds__(threads) store_numerators(std::uint32_t n, SolveVectors vectors) {
    const std::uint64_t i = rng::grid_thread();
    if (i < n) vectors.ends[i] = numerator(vectors.r[i], *vectors.sizes);
}

__global__ void __launch_bounds__(threads) store_starts(std::uint32_t n, SolveVectors vectors) {
    const std::uint64_t i = rng::grid_thread();
    if (i >= n) return;
    const auto entry = static_cast<std::uint32_t>(i);
    const std::uint64_t all = vectors.ends[n - 1];
    const Sizes sizes = *vectors.sizes;
    vectors.last[i] = last_word(entry, vectors.ends[i], all, sizes);
    vectors.start[i] = start_at(entry, vectors.r[i], all, sizes);
}

__global__ void __launch_bounds__(threads) store_guide(std::uint32_t n, std::uint32_t bits, SolveVectors vectors) {
    const std::uint64_t leading = rng::grid_thread();
    if (leading >> bits != 0) return;
    const std::uint64_t* const last = vectors.last;
    vectors.guide[leading] = first_not_below(leading << (64 - bits), n, [last](std::uint32_t i) { return last[i]; });
}

__global__ void __launch_bounds__(walking_threads)
    walk_of_share(const __grid_constant__ SolveMethod method, const __grid_constant__ PhiloxKeys keys,
                  std::uint32_t launch, std::uint64_t histories, std::uint32_t in_shared, Counts counts) {
    extern __shared__ std::uint32_t low[];
    const SharedTallies tallies(low, 0, in_shared, counts.tallies());
    const Share share(histories, in_shared > 0 ? Order::spread : Order::side_by_side);
    const Work done = walk_share(share, method, keys, launch,
                                 [&](std::uint32_t entry, std::int64_t amount) { tallies.add(entry, amount); });
    counts.add_work(done);
    tallies.flush();
}

__global__ void __launch_bounds__(threads) add_mean(std::uint32_t n, double unit, SolveVectors vectors) {
    const std::uint64_t i = rng::grid_thread();
    if (i < n) vectors.x[i] = with_tally(vectors.x[i], vectors.counts[first_tally + i], unit);
}

cudaError_t sum_up(const SolveVectors& vectors, std::size_t& bytes, std::uint32_t n, cudaStream_t stream) {
    return cub::DeviceScan::InclusiveSum(vectors.scan, bytes, vectors.ends, vectors.ends, n, stream);
}

}  // namespace

cudaError_t bytes_of_scan(std::uint32_t n, std::size_t* bytes) { return sum_up({}, *bytes, n, nullptr); }

cudaError_t sweep(std::uint32_t n, const SolveVectors& vectors, cudaStream_t stream) {
    add_residual<<<blocks_for(n), threads, 0, stream>>>(n, vectors);
    return cudaGetLastError();
}

cudaError_t renew_residual(const SplitSystem& system, const SolveVectors& vectors, cudaStream_t stream) {
    store_residual<<<blocks_for(system.n), threads, 0, stream>>>(system, vectors);
    add_lanes<<<groups_of_lanes, lanes_of_group, 0, stream>>>(system, vectors);
    add_groups<<<1, groups_of_lanes, 0, stream>>>(vectors);
    return cudaGetLastError();
}

cudaError_t renew_starts(std::uint32_t n, const SolveVectors& vectors, cudaStream_t stream) {
    store_numerators<<<blocks_for(n), threads, 0, stream>>>(n, vectors);
    std::size_t bytes = vectors.scan_bytes;
    const cudaError_t status = sum_up(vectors, bytes, n, stream);
    if (status != cudaSuccess) return status;
    store_starts<<<blocks_for(n), threads, 0, stream>>>(n, vectors);
    const std::uint32_t bits = Starts::guide_bits(n);
    store_guide<<<blocks_for(std::uint64_t{1} << bits), threads, 0, stream>>>(n, bits, vectors);
    return cudaGetLastError();
}

const void* walking_kernel() { return reinterpret_cast<const void*>(walk_of_share); }

cudaError_t walk_all(const SolveMethod& method, std::uint64_t seed, std::uint32_t launch, std::uint64_t histories,
                     const WalkGrid& grid, const SolveVectors& vectors, cudaStream_t stream) {
    const std::size_t counts = first_tally + method.rows.n;
    const cudaError_t status = cudaMemsetAsync(vectors.counts, 0, counts * sizeof(bench::Count), stream);
    if (status != cudaSuccess) return status;
    walk_of_share<<<grid.blocks, walking_threads, grid.in_shared * sizeof(std::uint32_t), stream>>>(
        method, keys_of(seed), launch, histories, grid.in_shared, Counts{vectors.counts});
    return cudaGetLastError();
}

cudaError_t add_tallies(std::uint32_t n, double unit, const SolveVectors& vectors, cudaStream_t stream) {
    add_mean<<<blocks_for(n), threads, 0, stream>>>(n, unit, vectors);
    return cudaGetLastError();
}

}  // namespace mcls
