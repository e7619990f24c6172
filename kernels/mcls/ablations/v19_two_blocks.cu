// Ablation of step 19: two blocks
// Change: as v19, but two blocks of 512 threads share a multiprocessor, as those of v12 do on sp1, and not one of 1,024.
// Why:    this leaves the rows of step 19. On sp1 the tallies of a block take 100 kB of the 256 kB that a multiprocessor has
//         for L1 and shared memory. With two blocks 28 kB are left to L1, less than the rows visited most. Predicted on an
//         H200: 200 transitions/ns on sp1; on lap2d, whose tallies are small, the rate of v19.
// Cost:   as v19.
// Limit:  latency; more lanes wait for L2.
#include "bench/step.hpp"
#include "kernels/mcls/launches/short_row_walks.cuh"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/resident.cuh"

namespace mcls::v19_two_blocks {

using bench::Launch;

constexpr unsigned threads = 512;  // as v12

using Method = Adjoint<ShortRows>;

__global__ void __launch_bounds__(threads, resident_blocks(threads, 2))
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, Counts counts) {
    walk_short_rows(method, keys, launch, histories, counts);
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, bytes_of_place_tallies(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories, Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
    .bits_of_first = 27,
    .histories_of_block = histories_of_share,
    .shared_bytes = bytes_of_place_tallies,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v19_two_blocks",
    .after = "v19",
    .title = "v19, two blocks",
    .technique = "two blocks of 512 threads per multiprocessor",
    .lesson = "What two copies of the tallies take from L1.",
    .estimand = estimand_of(design),
    .default_blocks_per_sm = 2,
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v19_two_blocks
