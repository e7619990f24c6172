// Step 11: tallies in shared memory
// Change: as v10, but a block adds to tallies in its shared memory, and to those of the launch once, at its end.
// Why:    L2 adds 17 numbers per ns on 900 addresses, and 104 on many. Shared memory adds about 3,000. It adds 32 bits, so
//         it has the lower half of a tally; a carry and an upper half that is not 0 go to L2, rarely if the fixed point is
//         chosen so that weights stay below 2^28. Predicted on an H200: 200 transitions/ns on lap2d, 60 on sp1.
// Cost:   63 instructions per transition, 16 of them for the word; one load of 16 bytes, one of 8, one ATOMS.
// Limit:  the issue slots, three fifths of which are wasted: a warp walks until the longest of its 32 histories ends.
// Note:   a block has shared memory for 57,344 tallies. Systems with more entries leave all of them in L2.
#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/random/thread_id.cuh"

namespace mcls::v11 {

using bench::Launch;

constexpr unsigned threads = 512;

using Method = Adjoint<AliasRows>;

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, std::uint32_t in_shared, Counts counts) {
    extern __shared__ std::uint32_t low[];
    const SharedTallies tallies(low, 0, in_shared, counts.tallies());
    Work done;
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        done.histories++;
        done.transitions +=
            method(keys, {launch, h}, [&](std::uint32_t entry, std::int64_t amount) { tallies.add(entry, amount); });
    }
    counts.add_work(done);
    tallies.flush();
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, bytes_of_tallies(walks, l.shape.threads), l.stream>>>(
        uploaded<Method>(l), keys_of(l.seed), static_cast<std::uint32_t>(l.index), walks.histories,
        tallies_in_shared(walks.n), Counts{l.counts});
    return cudaGetLastError();
}

constexpr Design design = design_on_gpu<Method>({
    .generator = "Philox4x32-10",
    .soundness = bench::Soundness::sound,
    .histories = 10'000'000,
    .bits_of_first = 27,
    .shared_bytes = bytes_of_tallies,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v11",
    .after = "v10",
    .title = "Tallies in shared memory",
    .technique = "lower halves of tallies in shared memory, carries in L2",
    .lesson = "A sum of 64 bits needs an atomic of 32, if carries are rare.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counts}, {"walk", launch}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v11
