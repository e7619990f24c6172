// Step 16: counted paths
// Change: as v14, for systems whose entries of H are all multiples of 1/4: a history moves along a path of three transitions at
//         once. A table has the end of each of the 64 paths from a state, and a counter each of their 16 beginnings.
// Why:    one load, one atomic and six bits of a word serve three transitions. Weights and factors are gone: a history that has
//         not ended counts one. Predicted on an H200: 2,100 transitions/ns on lap2d.
// Cost:   5.2 instructions per transition: per path 3 for its bits, a load of two bytes, an ATOMS, and its part of the word.
// Limit:  shared memory, where the lanes of a warp meet in banks: 7.3 cycles for a load and an atomic of 32 lanes, of which 27
//         still walk, 2,900 transitions/ns on an H200; the other lanes wait for their warp's next quad of words.
// Note:   at most 1,023 states, and a right-hand side of one sign.
#include "bench/step.hpp"
#include "kernels/mcls/launches/counted_paths.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/quarter_paths.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls::v16 {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = QuarterPaths;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, bench::Count* cells, Counts counts) {
    extern __shared__ std::uint32_t count[];
    const std::uint32_t ended = method.n * Method::paths, all = (method.n + 1) * Method::cells;
    auto* const bytes = reinterpret_cast<unsigned char*>(count);
    auto* const next = reinterpret_cast<std::uint16_t*>(count + all);
    for (std::uint32_t i = threadIdx.x; i < all; i += blockDim.x) count[i] = 0;
    for (std::uint32_t i = threadIdx.x; i < ended + Method::paths; i += blockDim.x) next[i] = method.next[i];
    const Share share(histories, Order::spread);

    std::uint32_t state = ended, number = 0;
    HistoryId id = {launch, 0};
    Work done;
    for (;;) {
        const bool fresh = state == ended;
        if (fresh) {
            if (!share.take(&id.history)) break;
            done.histories++;
            number = 0;
        }
        const rng::PhiloxCounter quad = quad_of(keys, id, number++);
        if (fresh) state = Method::paths * method.start_of(id.history, quad.word[3]);
#pragma unroll
        for (unsigned i = 0; i < Method::words_of_quad; i++) {
            state = Method::walk_word(
                state, quad.word[i], [&](std::uint32_t path) { return next[path]; },
                [&](std::uint32_t place) { atomicAdd(reinterpret_cast<std::uint32_t*>(bytes + place), 1u); });
        }
    }
    done.transitions -= done.histories;  // a history has one visit more
    counts.add_work(done);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < all - Method::cells; i += blockDim.x) {
        atomicAdd(&cells[i], bench::Count{count[i]});
    }
}

std::size_t shared_bytes(const Walks& walks, unsigned) {
    return (walks.n + std::size_t{1}) * (Method::cells * sizeof(std::uint32_t) + Method::paths * sizeof(std::uint16_t));
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, shared_bytes(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories, cells_of<Method>(l),
        Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 200'000'000,
    .instead = "v12",
    .for_steps = "v14",
    .bits_of_first = 24,
    .histories_of_block = histories_of_cells,
    .shared_bytes = shared_bytes,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v16",
    .after = "v14",
    .title = "Counted paths",
    .technique = "a path of three transitions by one load and one counter",
    .lesson = "A table of paths makes one load and one atomic serve three transitions.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counted_paths}, {"walk", launch}, {"add", add_counted_paths}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v16
