// Step 23: counted walkers
// Change: a state has a count of walkers, in place of walkers that each have a state. In each transition every walker draws two
//         bits of its own, and population counts say how many take each of the four slots of a state. The histories of a launch
//         start together, and a thread has a state.
// Why:    x never asks which walker is where. In v22 a walker looks up its path, 5.3 instructions a transition. Two bits decide
//         it, and a word has 32: of many walkers, 16 move by a word and its count, which take a scheduler 5 cycles.
//         Predicted on an H200: 87,000 transitions/ns in a launch of 31 G histories, 49,000 in one of 1.9 G.
// Cost:   0.26 instructions per transition where a state has many walkers: 4.1 for a word, its count among them.
// Limit:  the issue slots, with XU and the ALU almost as busy, and the barrier. In shorter launches the last 3,000 transitions,
//         with few walkers or none in a state: 1.5 ms.
// Note:   who took which path is forgotten. The variance is that of single histories (docs/method.md, "Walkers as counts").
//         A state takes 16 bytes of shared memory.
#include <cstddef>
#include <cstdint>

#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counted_walkers.cuh"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/v23_counted_walkers.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls::v23 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;

using Method = CountedWalkers;
using Draws = rng::AlternatingMrgDraws;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint64_t seed,
         std::uint64_t launch, Counts counts) {
    extern __shared__ Count visits[];
    auto* here = reinterpret_cast<std::uint32_t*>(visits + method.n);
    std::uint32_t* there = here + method.n + 1;  // one more, for those that are absorbed
    Draws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    if (threadIdx.x == 0) here[method.n] = there[method.n] = 0;
    for (std::uint32_t place = threadIdx.x; place < method.n; place += blockDim.x) {
        here[place] = method.starting(place, keys, static_cast<std::uint32_t>(launch), blockIdx.x, gridDim.x);
        there[place] = 0;
        visits[place] = 0;
    }
    __syncthreads();

    std::uint32_t any, step = 0;
    do {
        any = 0;
        for (std::uint32_t place = threadIdx.x; place < method.n; place += blockDim.x) {
            const std::uint32_t walkers = here[place];
            here[place] = 0;
            visits[place] += walkers;
            any |= walkers;
            if (walkers == 0) continue;
            const Halves halves = halves_of_all(walkers, draw);
            const Slots to = method.next[place];
            for (unsigned slot = 0; slot < 4; slot++) atomicAdd(&there[to.place[slot]], halves.in_slot(slot));
        }
        std::uint32_t* const next = there;
        there = here;
        here = next;
    } while (__syncthreads_or(any) && step++ < method.steps);

    // Histories are counted where they ended, so that one that gets lost is missed.
    Count histories = threadIdx.x == 0 ? Count{here[method.n]} + there[method.n] : 0, transitions = 0;
    for (std::uint32_t place = threadIdx.x; place < method.n; place += blockDim.x) {
        histories += here[place];
        transitions += visits[place];
        counts.tallies().add(method.state[place], static_cast<std::int64_t>(visits[place]) * method.amount);
    }
    counts.add_work(transitions - histories, histories);  // a history has one visit more
}

std::size_t bytes_of_block(const Walks& walks, unsigned) {
    return walks.n * sizeof(Count) + 2 * (walks.n + std::size_t{1}) * sizeof(std::uint32_t);
}

std::uint64_t places_of_blocks(std::uint32_t n, bench::Shape shape) { return std::uint64_t{n} * shape.blocks; }

cudaError_t launch(const Launch& l) {
    walk<<<l.shape.blocks, l.shape.threads, bytes_of_block(walks_of(l.problem), l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), l.seed, l.index, Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "MRG 20, 3 modulo 2^32, plus a dot product or a shift in turns",
    .soundness = bench::Soundness::sound_in_bit_planes,
    .histories = 31'000'000'000,
    .instead = "v12",
    .histories_of_block = histories_of_share,
    .places = places_of_blocks,
    .shared_bytes = bytes_of_block,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v23",
    .after = "v22",
    .title = "Counted walkers",
    .technique = "a count of walkers a state; each draws two bits, population counts say how many go where",
    .lesson = "If nobody asks who is where, count who goes where.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 1150,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v23
