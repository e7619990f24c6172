#include <stdexcept>

#include "bench/workers/resources.hpp"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/make_source.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/lane_draws.cuh"
#include "kernels/random/thread_id.cuh"
#include "quality/gpu_tests.hpp"
#include "quality/serial_cell.cuh"
#include "quality/specimens.cuh"
#include "quality/specimens.hpp"

namespace quality {
namespace {

using bench::Count;
using bench::Source;
using bench::StreamId;

constexpr unsigned block_threads = 256;

__host__ __device__ StreamId stream_of(const Streams& streams, std::uint64_t stream) {
    return {streams.seed, 0, streams.count, stream};
}

template <typename Draws, pi::HitOfWords is_hit>
__global__ void count_hits(std::uint32_t* hits, Streams streams, unsigned iters) {
    const std::uint64_t stream = rng::grid_thread();
    if (stream >= streams.count) {
        return;
    }
    Draws draws(stream_of(streams, stream));
    std::uint32_t mine = 0;
    for (unsigned i = 0; i < iters; i++) {
        const unsigned x = draws();
        const unsigned y = draws();
        mine += is_hit(x, y) ? 1 : 0;
    }
    hits[stream] = mine;
}

__constant__ const pi::LastCells<8> square_cells = pi::last_cells, octant_cells = pi::octant_last_cells;
__constant__ const pi::LastCells<10> deep_octant_cells = pi::octant_last_cells_10;

template <template <unsigned> class Networks, unsigned last_level>
__device__ const pi::LastCells<last_level>& last_cells();
template <>
__device__ const pi::LastCells<8>& last_cells<pi::Network, 8>() {
    return square_cells;
}
template <>
__device__ const pi::LastCells<8>& last_cells<pi::OctantNetwork, 8>() {
    return octant_cells;
}
template <>
__device__ const pi::LastCells<10>& last_cells<pi::OctantNetwork, 10>() {
    return deep_octant_cells;
}

/// v15, v18 to v21: the 32 lanes of a thread together are one stream.
template <typename Draws, template <unsigned> class Networks, unsigned last_level>
__global__ void count_bit_sliced_hits(std::uint32_t* hits, Streams streams, unsigned iters) {
    const std::uint64_t stream = rng::grid_thread();
    if (stream < streams.count) {
        Draws draw(stream_of(streams, stream));
        hits[stream] = pi::v15::hits_among<Networks>(draw, iters, last_cells<Networks, last_level>());
    }
}

__device__ void count_pair(Count* counts, unsigned first, unsigned second) {
    atomicAdd(&counts[serial_cell(first, second)], Count{1});
}

/// Thread t follows streams 2t and 2t + 1.
template <typename Draws>
__global__ void count_pairs(Count* xy, Count* neighbours, Streams streams, std::uint64_t pairs) {
    const std::uint64_t t = rng::grid_thread();
    if (2 * t + 1 >= streams.count) {
        return;
    }
    Draws even(stream_of(streams, 2 * t)), odd(stream_of(streams, 2 * t + 1));
    for (std::uint64_t i = 0; i < pairs; i++) {
        const unsigned x[2] = {even(), odd()};
        const unsigned y[2] = {even(), odd()};
        count_pair(xy, x[0], y[0]);
        count_pair(xy, x[1], y[1]);
        count_pair(neighbours, x[0], x[1]);
        count_pair(neighbours, y[0], y[1]);
    }
}

unsigned blocks_for(std::uint64_t threads) {
    return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

/// A source, and the kernels that test its words.
struct GpuTests {
    const Source* source;
    const char* candidate;  // the program that draws it if no version of the ladder does, otherwise null
    void (*count_hits)(std::uint32_t* hits, Streams streams, unsigned iters);
    void (*count_pairs)(Count* xy, Count* neighbours, Streams streams, std::uint64_t pairs);
};

template <typename Draws, pi::Coordinate coordinate>
GpuTests tests_of(const Source& source) {
    return {&source, nullptr, count_hits<Draws, pi::scaled_hit_of_words<coordinate>>, count_pairs<Draws>};
}

template <typename Draws>
GpuTests folded_tests_of(const Source& source, const char* candidate = nullptr) {
    return {&source, candidate, count_hits<Draws, pi::folded_hit_of_words>, count_pairs<Draws>};
}

template <typename Draws, template <unsigned> class Networks = pi::Network, unsigned last_level = 8>
GpuTests bit_sliced_tests_of(const Source& source) {
    return {&source, nullptr, count_bit_sliced_hits<Draws, Networks, last_level>,
            count_pairs<rng::LaneDraws<Draws, 32>>};
}

template <typename Planes>
GpuTests tests_of_lanes(const Source& source) {
    using LeadingBits = rng::LaneDraws<Planes, bits_of_a_coordinate>;
    return {&source, nullptr, count_hits<LeadingBits, pi::scaled_hit_of_words<pi::to_unit_interval>>,
            count_pairs<rng::LaneDraws<Planes, 32>>};
}

/// All tested sources: those of the ladder in step order, the lanes of v15 and v18, candidates for v14, specimens.
const std::vector<GpuTests>& all_tests() {
    using namespace pi;
    static const std::vector<GpuTests> all = {
        tests_of<rng::XorwowDraws, to_curand_uniform>(sources::xorwow),
        tests_of<rng::PhiloxDraws, to_curand_uniform>(sources::philox),
        tests_of<rng::Xorshift32Draws, to_unit_interval>(sources::xorshift32),
        tests_of<rng::LcgDraws, to_unit_interval>(sources::lcg),
        tests_of<rng::FourLcgDraws<rng::lcg, rng::lcg_glibc>, to_unit_interval>(sources::lcg_two_families),
        tests_of<rng::LcgDraws, upper_23_bits>(sources::lcg_mantissa),
        folded_tests_of<rng::LcgDraws>(sources::lcg_folded),
        folded_tests_of<rng::MrgDraws>(sources::mrg),
        bit_sliced_tests_of<rng::FoldedMrgDraws>(sources::bit_sliced),
        bit_sliced_tests_of<rng::DotMrgDraws>(sources::dot_sliced),
        bit_sliced_tests_of<rng::DotMrgDraws, OctantNetwork>(sources::octant_sliced),
        bit_sliced_tests_of<rng::DotMrgDraws, OctantNetwork, 10>(sources::deep_octant_sliced),
        bit_sliced_tests_of<rng::AlternatingMrgDraws, OctantNetwork, 10>(sources::alternating_sliced),
        bit_sliced_tests_of<rng::ShiftedMrgDraws, OctantNetwork, 10>(sources::shifted_sliced),
        folded_tests_of<rng::LaneDraws<rng::FoldedMrgDraws, 32>>(sources::folded_mrg_lanes, "v15_lanes"),
        folded_tests_of<rng::LaneDraws<rng::DotMrgDraws, 32>>(sources::dot_mrg_lanes, "v18_lanes"),
        folded_tests_of<rng::LaneDraws<rng::AlternatingMrgDraws, 32>>(sources::alternating_mrg_lanes, "v21_lanes"),
        folded_tests_of<rng::LaneDraws<rng::ShiftedMrgDraws, 32>>(sources::shifted_mrg_lanes, "v27_lanes"),
        folded_tests_of<rng::FoldedMrgDraws>(sources::folded_mrg, "v14_folded"),
        folded_tests_of<rng::Philox7Draws>(sources::philox7, "v14_philox7"),
        folded_tests_of<rng::Mwc64xDraws>(sources::mwc64x, "v14_mwc64x"),
        folded_tests_of<rng::XorMrgDraws>(sources::xor_mrg, "v14_xor"),
        folded_tests_of<rng::HybridTauswortheDraws>(sources::hybrid_tausworthe, "n2"),
        tests_of<ConstantDraws, to_unit_interval>(specimens::constant),
        tests_of<CounterDraws, to_unit_interval>(specimens::counter),
        tests_of<StuckBitDraws, to_curand_uniform>(specimens::philox_stuck_bit),
        tests_of<ConsecutiveSeedDraws<rng::xorshift32>, to_unit_interval>(specimens::xorshift32_consecutive),
        tests_of<ConsecutiveSeedDraws<rng::lcg>, to_unit_interval>(specimens::lcg_consecutive),
        tests_of_lanes<TrinomialDraws<63, 1>>(specimens::trinomial_63_1),
        tests_of_lanes<TrinomialDraws<31, 3>>(specimens::trinomial_31_3),
    };
    return all;
}

const GpuTests& tests_of_source(const Source& source) {
    for (const GpuTests& tests : all_tests()) {
        if (tests.source == &source) {
            return tests;
        }
    }
    throw std::logic_error(std::string("no GPU tests for the source ") + source.name);
}

template <typename T>
std::vector<T> to_host(const bench::DeviceBuffer<T>& buffer) {
    std::vector<T> host(buffer.size());
    CUDA_CHECK(cudaMemcpy(host.data(), buffer.data(), host.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace

std::vector<Entry> tested_sources() {
    std::vector<Entry> sources;
    for (const GpuTests& tests : all_tests()) {
        Entry& entry = sources.emplace_back(Entry{tests.source, {}});
        if (tests.candidate) {
            entry.versions.emplace_back(tests.candidate);
        }
    }
    return sources;
}

std::vector<std::uint32_t> hits_per_stream_on_gpu(const Source& source, const Streams& streams, unsigned iters) {
    const GpuTests& tests = tests_of_source(source);
    const bench::DeviceBuffer<std::uint32_t> hits(streams.count);
    tests.count_hits<<<blocks_for(streams.count), block_threads>>>(hits.data(), streams, iters);
    CUDA_CHECK(cudaGetLastError());
    return to_host(hits);
}

PairCounts count_pairs_on_gpu(const Source& source, const Streams& streams, std::uint64_t pairs_per_stream) {
    const GpuTests& tests = tests_of_source(source);
    const bench::DeviceBuffer<Count> xy(serial_cells), neighbours(serial_cells);
    CUDA_CHECK(cudaMemset(xy.data(), 0, serial_cells * sizeof(Count)));
    CUDA_CHECK(cudaMemset(neighbours.data(), 0, serial_cells * sizeof(Count)));
    tests.count_pairs<<<blocks_for(streams.count / 2), block_threads>>>(xy.data(), neighbours.data(), streams,
                                                                        pairs_per_stream);
    CUDA_CHECK(cudaGetLastError());
    const auto xy_counts = to_host(xy), neighbour_counts = to_host(neighbours);
    return {{xy_counts.begin(), xy_counts.end()}, {neighbour_counts.begin(), neighbour_counts.end()}};
}

}  // namespace quality
