// Step 2: counts pushed in order
// Change: as g1, but nobody asks which walk is where. A vertex holds a count of walks. In a step each of them draws its own four
//         bits, the number of a half-edge; 16 lanes count those that take theirs, and add that to the vertex at its other end. As
//         many walks begin at each vertex. What one walk did is forgotten: of their visits only sums are left.
// Why:    the table is read in order, once a step, however many walks there are. What is random are additions to counts, 16
//         a vertex, and these have 16 MiB: L2 holds them. L2 should take about 95 such additions a nanosecond, for four walks
//         each. Predicted on an H200: 380 steps/ns with 2^30 walks, 150 with 2^28, 700 with 2^31.
// Cost:   per 32 walks of a vertex and half a warp: four words of MWC64X, four shuffles, four LOP3, one POPC; per half-edge 4 bytes
//         read in order and one addition in L2; 21.6 instructions per step.
// Limit:  L2: its additions to random places.
//
// Walk i of 32 draws bit i of four words of its half warp's streams. No other walk draws these bits, so walks are independent, as
// in g1 (a few of some 20 million hashed streams may overlap): only their counts are kept. The visits after each step add up to
// all walks exactly; a lost walk fails the verdict.
#include "kernels/graph/shared/population.hpp"
#include "kernels/graph/shared/walk.cuh"

namespace graph::g2 {

using bench::Launch;

constexpr unsigned threads = 512, warp = 32;
constexpr unsigned edges = 1u << log2_degree;  // of a vertex: half a warp has a lane for each
constexpr unsigned pairs = 4;                  // of vertices that a warp reads at once, so that loads overlap
constexpr unsigned at_once = 2 * pairs;        // counts of 8 bits: one load
constexpr unsigned all_lanes = 0xffffffff;

/// How many of a vertex's walks take this lane's half-edge.
__device__ __forceinline__ unsigned taking(unsigned edge, int walks, rng::Mwc64x& draw) {
    unsigned all = 0;
    while (__any_sync(all_lanes, walks > 0)) {
        const unsigned word = draw();
        for (unsigned first = 0; first < edges && __any_sync(all_lanes, walks > 0); first += log2_degree, walks -= 32) {
            unsigned here = walks >= 32 ? all_lanes : (1u << max(walks, 0)) - 1;  // a bit for each walk
#pragma unroll
            for (unsigned bit = 0; bit < log2_degree; bit++) {
                here &= __shfl_sync(all_lanes, word, first + bit, edges) ^ ((edge >> bit & 1) - 1);
            }
            all += __popc(here);
        }
    }
    return all;
}

__global__ void __launch_bounds__(threads)
    push(const std::uint32_t* __restrict__ entries, const std::uint64_t* __restrict__ before, unsigned* after,
         std::uint32_t vertices, std::uint64_t seed, std::uint64_t launch, unsigned step) {
    const unsigned edge = threadIdx.x % edges, half = threadIdx.x % warp / edges;
    const bench::StreamId id = {seed, launch, rng::grid_threads(), rng::grid_thread()};
    rng::Mwc64x draw(rng::state_of(id, 2 * step), rng::state_of(id, 2 * step + 1));

    for (std::uint64_t some = id.thread / warp; some < vertices / at_once; some += id.threads / warp) {
        const std::uint64_t walks = before[some] >> (8 * half);
        std::uint32_t end[pairs];
#pragma unroll
        for (unsigned i = 0; i < pairs; i++) {
            const std::uint64_t vertex = at_once * some + 2 * i + half;
            end[i] = __ldcs(&entries[vertex * edges + edge]);  // L2 is for the counts
        }
#pragma unroll
        for (unsigned i = 0; i < pairs; i++) {
            const unsigned moved = taking(edge, static_cast<int>(walks >> (16 * i) & 0xff), draw);
            if (moved > 0) atomicAdd(&after[end[i] / 4], moved << (8 * (end[i] % 4)));
        }
    }
}

constexpr unsigned counts_of_load = sizeof(uint4), counting_threads = 256;

/// Adds up the walks in each quarter after a step: a block has counts of one.
__global__ void __launch_bounds__(counting_threads)
    count_walks(const uint4* after, bench::Count* counts, unsigned step, bool is_last) {
    __shared__ unsigned of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    const uint4 some = after[rng::grid_thread()];
    unsigned walks = 0;
    for (const unsigned four : {some.x, some.y, some.z, some.w}) walks = __dp4a(four, 0x01010101u, walks);
    for (unsigned lane = warp / 2; lane > 0; lane /= 2) walks += __shfl_down_sync(all_lanes, walks, lane);
    if (threadIdx.x % warp == 0) atomicAdd(&of_block, walks);
    __syncthreads();
    if (threadIdx.x != 0) return;
    const unsigned quarter = static_cast<unsigned>(std::uint64_t{blockIdx.x} * quarters / gridDim.x);
    atomicAdd(&counts[visits_count(quarter, step)], bench::Count{of_block});
    atomicAdd(&counts[bench::transitions_count], bench::Count{of_block});
    if (is_last) atomicAdd(&counts[bench::histories_count], bench::Count{of_block});
}

cudaError_t begin(const Launch& l) {
    const auto& population = static_cast<const Population&>(*l.problem);
    const std::uint32_t vertices = population.vertices();
    if (const auto error = cudaMemsetAsync(l.counts, 0, l.published * sizeof(bench::Count), l.stream)) return error;
    return cudaMemsetAsync(l.scratch, static_cast<int>(population.walks / vertices), vertices, l.stream);
}

cudaError_t walk(const Launch& l) {
    const auto& population = static_cast<const Population&>(*l.problem);
    const std::uint32_t vertices = population.vertices();
    const auto* entries = static_cast<GraphTable<std::uint32_t>*>(l.equipment)->entries.data();
    auto *before = static_cast<unsigned char*>(l.scratch), *after = before + vertices;
    for (unsigned step = 0; step < population.steps; step++) {
        if (const auto error = cudaMemsetAsync(after, 0, vertices, l.stream)) return error;
        push<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(entries, reinterpret_cast<std::uint64_t*>(before),
                                                               reinterpret_cast<unsigned*>(after), vertices, l.seed,
                                                               l.index, step);
        count_walks<<<vertices / counts_of_load / counting_threads, counting_threads, 0, l.stream>>>(
            reinterpret_cast<uint4*>(after), l.counts, step, step + 1 == population.steps);
        std::swap(before, after);
    }
    return cudaGetLastError();
}

std::unique_ptr<bench::Equipment> make_table_of(const Launch& l) {
    const bool is_of_run = static_cast<const Population&>(*l.problem).log2_vertices == log2_of_run;
    return is_of_run ? make_table<RegularGraph<log2_of_run>>(l) : make_table<RegularGraph<log2_of_replay>>(l);
}

/// Counts before a step, and after it.
std::size_t bytes_of_counts(bench::Shape, unsigned) { return std::size_t{2} << log2_of_run; }

extern const bench::Step step;
const bench::Step step = {
    .name = "g2",
    .after = "g1",
    .title = "Counts pushed in order",
    .technique = "a vertex holds a count of walks, each of which draws its own four bits",
    .lesson = "Where nobody asks which walk is where, walks are counts, and the table is read in order.",
    .estimand = visits_of_population(usual_walks),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 1,
    .kernel = reinterpret_cast<const void*>(push),
    .counts = counts_of_population,
    .scratch_bytes = bytes_of_counts,
    .equip = make_table_of,
    .phases = {{"begin", begin}, {"walk", walk}},
    .own = {.options = population_options(), .problem = population_of_run(usual_walks)},
};

}  // namespace graph::g2
