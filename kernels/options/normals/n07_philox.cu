// Step 7: words of a counter
// Change: as n3, but the words are those of Philox4x32 with 7 rounds, four for each value of a counter. The keys of the
//         rounds are a parameter of the kernel: an operand from constant memory costs nothing, computing them 4
//         instructions per normal.
// Why:    a round is two wide products and two logical operations, so a word takes 6.5 instructions in place of 18, and
//         half as many on the ALU pipe. Predicted: 1,850 normals/ns on an H200.
// Cost:   15.6 instructions per normal, 2.8 of them wide products, and 2 results of the XU.
// Limit:  XU (2,091 normals/ns on an H200), the issue slots (2,150) and the FMA heavy pipe, which a wide product keeps for
//         two turns, alike, none of them full; --store: DRAM. Next: words of one instruction.
// Note:   a counter can be set back, so a path can be walked twice without being stored.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/box_muller.cuh"
#include "kernels/random/philox.cuh"
#include "kernels/random/thread_id.cuh"

namespace normals::n7 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 256;
constexpr unsigned unrolled = 4;  // blocks of four words a trip
constexpr int rounds = 7;         // the fewest that pass BigCrush

template <typename Output>
__global__ void __launch_bounds__(threads)
    draw_normals(Count* counts, void* memory, unsigned iters, rng::PhiloxKeys<rounds> keys, std::uint64_t launch) {
    const std::uint64_t stream = rng::subsequence(launch);
    rng::PhiloxCounter counter = {{0, 0, static_cast<unsigned>(stream), static_cast<unsigned>(stream >> 32)}};

    Consumer<Output> consume(memory);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned trip = 0; trip < normals_per_group / 4 / unrolled; trip++) {
#pragma unroll
            for (unsigned j = 0; j < unrolled; j++) {
                const rng::PhiloxCounter words = rng::philox4x32(counter, keys);
                consume(rng::normal_pair(words.word[0], words.word[1]));
                consume(rng::normal_pair(words.word[2], words.word[3]));
                counter.word[0]++;
            }
        }
        consume.end_group();
    }
    consume.publish(counts);
}

template <typename Output>
cudaError_t launch(const Launch& l) {
    const rng::PhiloxKey key = {{static_cast<unsigned>(l.seed), static_cast<unsigned>(l.seed >> 32)}};
    draw_normals<Output><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.scratch, l.iters,
                                                                           rng::philox_keys<rounds>(key), l.index);
    return cudaGetLastError();
}

extern const bench::Step step, stored;
const bench::Step step = {
    .name = "n7",
    .after = "n3",
    .title = "Words of a counter",
    .technique = "Philox4x32-7",
    .lesson =
        "A generator without state costs little more than the transform, and it can draw any of its words at any time.",
    .estimand =
        estimand(rng::Philox7Draws::generator.name, bench::Soundness::sound, of_xu_box_muller, replay::of_philox7),
    .default_threads = threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(draw_normals<InRegisters>),
    .counts = counts,
    .phases = {{"sample", launch<InRegisters>}},
    .own = {.options = store_option(stored)},
};
const bench::Step stored =
    stored_form(step, "n7_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n7
