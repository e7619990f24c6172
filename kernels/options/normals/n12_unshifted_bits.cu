// Step 12: bits that are not shifted
// Change: as n11, but the second value that a word chooses is that of bits 7 to 16, not 12 to 21.
// Why:    an entry of the table, with its 32 copies, takes 128 bytes. So these bits are a place in the table as they stand: a
//         mask, no shift. The issue slots limit n11, and half of the shifts go. Predicted: 4,510 normals/ns on an H200.
// Cost:   6.91 instructions per normal, where 6.93 were predicted and n11 takes 7.41.
// Limit:  the issue slots, as predicted; --store: DRAM.
// Note:   a demonstration, for n11's reason and a further one. The lower a bit of these words, the more a test sees that
//         knows the recurrence, and bit 7 is below the 24 that the batteries read. The second values of words k,
//         k - 13 and k - 31 have a mean product of -2.8e-5, where 0 is right; those of n11 have -8.6e-7.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/rotated_table.cuh"

namespace normals::n12 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;
constexpr unsigned unrolled = 31;  // rotations a trip: their 62 words are whole rounds of the generator's 31
using Table = rng::NormalTable<32>;

template <typename Output>
__global__ void __launch_bounds__(threads)
    draw_normals(Count* counts, void* memory, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    extern __shared__ float shared[];
    const Table table(shared);
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Consumer<Output> consume(memory);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned trip = 0; trip < normals_per_group / 4 / unrolled; trip++) {
#pragma unroll
            for (unsigned j = 0; j < unrolled; j++) {
                const unsigned word = draw();
                const unsigned other_word = draw();
                float z[] = {table.upper(word), table.unshifted(word), table.upper(other_word),
                             table.unshifted(other_word)};
                rng::rotate_four(z);
                consume({z[0], z[1]});
                consume({z[2], z[3]});
            }
        }
        consume.end_group();
    }
    consume.publish(counts);
}

std::size_t table_bytes(unsigned) { return Table::words * sizeof(float); }

template <typename Output>
cudaError_t launch(const Launch& l) {
    draw_normals<Output><<<l.shape.blocks, l.shape.threads, table_bytes(l.shape.threads), l.stream>>>(
        l.counts, l.scratch, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step, stored;
const bench::Step step = {
    .name = "n12",
    .after = "n11",
    .title = "Bits that are not shifted",
    .technique = "bits of a word that are a place in a table as they stand",
    .lesson = "If an entry of a table takes 2^b bytes, the bits of a word from b on are its address.",
    .estimand = estimand(rng::MrgDraws::generator.name, bench::Soundness::demonstration, of_rotated_table,
                         replay::of_unshifted_bits),
    .default_threads = threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(draw_normals<InRegisters>),
    .dynamic_shared_bytes = table_bytes,
    .counts = counts,
    .phases = {{"sample", launch<InRegisters>}},
    .own = {.options = store_option(stored)},
};
const bench::Step stored =
    stored_form(step, "n12_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n12
