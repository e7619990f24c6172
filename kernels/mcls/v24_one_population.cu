// Step 24: one population
// Change: as v23, but all blocks move one population. The counts of a state are in L2, one for either sign, and a barrier of the
//         grid ends a transition. Rows may have any probabilities: walkers part by a tree of fair bits, to 32 digits.
// Why:    v23 needs all counts in the shared memory of a block, and rows of four equal slots. shift1d and ad3d have 8 and 2 MB
//         of counts, which L2 holds, and a launch has 100,000 walkers and more for each state: 4 bits each, so memory is asked
//         once for 10,000 words. A sketch made 35,000 transitions/ns on ad3d and 26,000 on shift1d, in launches of 100 G histories.
//         Predicted on an H200: 36,000 and 27,000, and 60,000 on lap2d, where v23 is better.
// Cost:   0.26 instructions per transition on lap2d. Predicted for ad3d: 0.9.
// Limit:  the latency of barriers, at which blocks wait for the one with most walkers; then the issue slots.
// Note:   who took which path is forgotten, as in v23. A thread parts its walkers in 96 bytes of shared memory.
#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/population.cuh"
#include "kernels/mcls/v24_one_population.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls::v24 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024, warp = 32;

/// Walkers of either sign in one word, so that one atomic adds both.
struct Signed {
    std::uint32_t plus, minus;

    __device__ __forceinline__ explicit Signed(Count both)
        : plus(static_cast<std::uint32_t>(both)), minus(static_cast<std::uint32_t>(both >> 32)) {}
    __device__ __forceinline__ static Count of(std::uint32_t walkers, bool are_negative) {
        return Count{walkers} << (are_negative ? 32 : 0);
    }
    __device__ __forceinline__ static Count turned(Count both) { return both << 32 | both >> 32; }
    __device__ __forceinline__ Count number() const { return Count{plus} + minus; }
};

/// What the blocks share: of each place of each population the walkers before and after a transition, and its visits.
struct Memory {
    Count* counts;
    std::uint32_t places;

    __device__ __forceinline__ Count* before(std::uint32_t step) const { return counts + (step % 2) * places; }
    __device__ __forceinline__ Count* after(std::uint32_t step) const { return before(step + 1); }
    __device__ __forceinline__ Count* visits() const { return counts + 2 * std::size_t{places}; }
    /// Whether there are walkers in a transition: of three, one after the other.
    __device__ __forceinline__ unsigned& alive(std::uint32_t step) const {
        return reinterpret_cast<unsigned*>(counts + 3 * std::size_t{places})[step % 3];
    }
};

/// Calls use(place) for the places of this thread. A warp that has most walkers of its row has the fewest of the next one.
template <class Use>
__device__ __forceinline__ void for_places(std::uint32_t places, Use use) {
    const std::uint32_t warps = blockDim.x / warp * gridDim.x, own = threadIdx.x / warp * gridDim.x + blockIdx.x;
    std::uint32_t row = 0;
    for (std::uint32_t first = 0; first < places; first += warps * warp, row++) {
        const std::uint32_t place = first + (row % 2 == 0 ? own : warps - 1 - own) * warp + threadIdx.x % warp;
        if (place < places) use(place);
    }
}

/// Moves the walkers of a place. Returns how many histories end.
__device__ __forceinline__ Count move(const Population& method, std::uint32_t place, std::uint32_t of_state,
                                      Signed walkers, Count* there, Words& words) {
    Count moved[Forks::most_slots] = {};
    Parting parting(method.forks[method.forks_of[of_state]]);
    const bool most_are_negative = walkers.minus > walkers.plus;  // first, beside those of other lanes
#pragma unroll 1
    for (unsigned i = 0; i < 2; i++) {
        const bool are_negative = (i == 0) == most_are_negative;
        const std::uint32_t number = are_negative ? walkers.minus : walkers.plus;
        if (number == 0) continue;
        parting(number, words);
        parting.for_slots(words,
                          [&](unsigned slot, std::uint32_t part) { moved[slot] += Signed::of(part, are_negative); });
    }
    Count ended = 0;
    for (unsigned slot = 0; slot < method.slots; slot++) {
        if (moved[slot] == 0) continue;
        const std::uint32_t next = method.next[std::size_t{of_state} * method.slots + slot];
        if (next == Population::gone) {
            ended += Signed(moved[slot]).number();
        } else {
            const Count arriving = next & Population::turned ? Signed::turned(moved[slot]) : moved[slot];
            atomicAdd(&there[place - of_state + (next & ~Population::turned)], arriving);
        }
    }
    return ended;
}

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Population method, const __grid_constant__ PhiloxKeys keys, std::uint64_t seed,
         std::uint64_t launch, Counts counts, void* scratch) {
    const auto grid = cooperative_groups::this_grid();
    const std::uint32_t populations = Population::populations(method.n, grid.size());
    const std::uint32_t places = method.n * populations;
    const Memory memory = {static_cast<Count*>(scratch), places};
    Words words({seed, launch, rng::grid_threads(), rng::grid_thread()});

    if (grid.thread_rank() < 3) memory.alive(grid.thread_rank()) = 0;
    for_places(places, [&](std::uint32_t place) {
        const std::uint32_t of_state = place % method.n;
        const std::uint32_t starting =
            method.starting(of_state, keys, static_cast<std::uint32_t>(launch), place / method.n, populations);
        memory.before(0)[place] = starting == 0 ? 0 : Signed::of(starting, method.starts_negative(of_state));
        memory.after(0)[place] = memory.visits()[place] = 0;
    });
    grid.sync();

    Count histories = 0, transitions = 0;
    std::uint32_t step = 0;
    do {
        bool any = false;
        for_places(places, [&](std::uint32_t place) {
            const Signed walkers(__ldcg(&memory.before(step)[place]));
            if (walkers.number() == 0) return;
            __stcg(&memory.before(step)[place], Count{0});
            memory.visits()[place] += Count{walkers.plus} - walkers.minus;
            transitions += walkers.number();
            histories += move(method, place, place % method.n, walkers, memory.after(step), words);
            any = true;
        });
        if (__syncthreads_or(any) && threadIdx.x == 0) memory.alive(step) = 1;
        if (grid.thread_rank() == 1) memory.alive(step + 1) = 0;
        grid.sync();
        step++;
    } while (__ldcg(&memory.alive(step - 1)) && step <= method.steps);

    // Histories are counted where they ended, so that one that gets lost is missed.
    for_places(places, [&](std::uint32_t place) {
        histories += Signed(__ldcg(&memory.before(step)[place])).number();
        counts.tallies().add(method.state[place % method.n],
                             static_cast<std::int64_t>(memory.visits()[place]) * method.amount);
    });
    counts.add_work(transitions - histories, histories);  // a history has one visit more
}

/// The places of all populations of a launch.
std::uint64_t places_of(std::uint32_t n, bench::Shape shape) {
    return std::uint64_t{n} * Population::populations(n, total_threads(shape));
}

std::size_t bytes_of_block(const Walks&, unsigned block) { return block * words_of_thread * sizeof(std::uint32_t); }

std::size_t bytes_of_memory(const Walks& walks, bench::Shape shape) {
    return 3 * places_of(walks.n, shape) * sizeof(Count) + 3 * sizeof(unsigned);
}

/// A population takes about as many places for each thread as it has states, and the mean count of a place is at most half of
/// what its 32 bits hold.
std::uint64_t histories_of_places(double visits, std::uint32_t n) {
    return static_cast<std::uint64_t>(0x1p31 / visits * threads / (2.0 * n));
}

cudaError_t launch(const Launch& l) {
    const Population& method = uploaded<Population>(l);
    const PhiloxKeys keys = keys_of(l.seed);
    const Counts counts{l.counts};
    std::uint64_t seed = l.seed, index = l.index;
    void* scratch = l.scratch;
    void* arguments[] = {const_cast<Population*>(&method),
                         const_cast<PhiloxKeys*>(&keys),
                         &seed,
                         &index,
                         const_cast<Counts*>(&counts),
                         &scratch};
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(walk), l.shape.blocks, l.shape.threads, arguments,
                                       bytes_of_block(walks_of(l.problem), l.shape.threads), l.stream);
}

constexpr Design design = design_on_gpu<Population>({
    .generator = "MRG 20, 3 modulo 2^32, plus a dot product or a shift in turns; MWC64X for few walkers",
    .soundness = bench::Soundness::sound_in_bit_planes,
    .histories = 100'000'000'000,
    .instead = "v12",
    .histories_of_block = histories_of_places,
    .places = places_of,
    .shared_bytes = bytes_of_block,
    .scratch_bytes = bytes_of_memory,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v24",
    .after = "v23",
    .title = "One population",
    .technique = "one population for all blocks, counts of both signs in L2; rows part by trees of fair bits",
    .lesson = "A barrier of the grid costs little if each walker between two of them costs a few bits.",
    .estimand = estimand_of(design),
    .accepted_blocks = bench::Blocks::resident,
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 1150,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v24
