// Step 11: a rotated table
// Change: as n9, but without logarithm, root, sine and cosine: a word chooses two values of a table, and four values become four
//         normals by an orthogonal matrix.
// Why:    n5 showed how cheap a rotation is. Its numbers repeat a part of earlier ones; here the numbers that are rotated are
//         new. 1,024 values are few, but four of them have 2^40 sums. Each lane has its own copy of the table, in its own
//         bank of shared memory, so that no reads meet. Predicted: 4,200 normals/ns on an H200, as a sketch reached.
// Cost:   7.41 instructions per normal: half a word, two for the place of its value, one to read it, 1.75 to rotate four, two
//         sums, and the loop.
// Limit:  the issue slots; --store: DRAM.
// Note:   a demonstration: four successive normals are a rotation of four values of the table, which a test that knows it
//         sees (kernels/random/normals/rotated_table.cuh). The table takes 128 KiB of shared memory.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/rotated_table.cuh"

namespace normals::n11 {

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
                float z[] = {table.upper(word), table.next(word), table.upper(other_word), table.next(other_word)};
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
    .name = "n11",
    .after = "n9",
    .title = "A rotated table",
    .technique = "four values of a table, rotated",
    .lesson = "A sum of few independent numbers is cheaper than a function, and the tests tell what it costs.",
    .estimand = estimand(rng::MrgDraws::generator.name, bench::Soundness::demonstration, of_rotated_table,
                         replay::of_rotated_table),
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
    stored_form(step, "n11_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>);

}  // namespace normals::n11
