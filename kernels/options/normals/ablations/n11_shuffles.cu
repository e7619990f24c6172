// Ablation of step 11: shuffles and one table
// Change: as n11, but a warp works as in A. Goucher, "Training a random Gaussian generator" (cp4space, 2022): all lanes share
//         one table, a normal takes two values of it, and the rotation of the first ones is across four lanes, by two
//         shuffles. With the second value as it is, half the sum of four normals has 2^50 values in place of 1,024.
// Why:    all lanes read where their words say, so that 3.5 of a warp's 32 reads meet in the busiest bank on average. A
//         normal takes two reads and two shuffles, 9 accesses of shared memory in place of 1. Predicted: 920 normals/ns on an
//         H200.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/rotated_table.cuh"

namespace normals::n11_shuffles {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 1024;
constexpr unsigned unrolled = 31;  // pairs a trip: their 62 words are whole rounds of the generator's 31
using Table = rng::NormalTable<1>;

/// A lane's number of the four that a butterfly of two shuffles makes of those of four lanes, divided by 2.
__device__ __forceinline__ float rotate_lanes(float x) {
#pragma unroll
    for (unsigned other = 1; other < replay::lanes_rotated; other *= 2) {
        const float sign = threadIdx.x & other ? -1.0f : 1.0f;
        x = fmaf(sign, x, __shfl_xor_sync(0xffffffffu, x, other));
    }
    return 0.5f * x;
}

__device__ __forceinline__ float normal_of(const Table& table, unsigned word) {
    constexpr auto rotated = static_cast<float>(replay::share_rotated), own = static_cast<float>(replay::share_own);
    return fmaf(own, table.next(word), rotated * rotate_lanes(table.upper(word)));
}

__global__ void __launch_bounds__(threads)
    draw_normals(Count* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ float shared[Table::words];
    const Table table(shared);
    rng::MrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    Consumer<InRegisters> consume(nullptr);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned trip = 0; trip < normals_per_group / 2 / unrolled; trip++) {
#pragma unroll
            for (unsigned j = 0; j < unrolled; j++) {
                const unsigned word = draw();
                const unsigned other_word = draw();
                consume({normal_of(table, word), normal_of(table, other_word)});
            }
        }
        consume.end_group();
    }
    consume.publish(counts);
}

cudaError_t launch(const Launch& l) {
    draw_normals<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

/// Four lanes are replayed together.
std::shared_ptr<const bench::Estimand> estimand_of_lanes() {
    bench::MeansOf what = bench::means_of(*estimand(rng::MrgDraws::generator.name, bench::Soundness::demonstration,
                                                    of_rotated_table, replay::of_rotated_lanes));
    what.replay.together = replay::lanes_rotated;
    return bench::means(what);
}

extern const bench::Step step;
const bench::Step step = {
    .name = "n11_shuffles",
    .after = "n11",
    .title = "n11, shuffles and one table",
    .technique = "values of one table, rotated across lanes",
    .lesson = "Where every lane reads another bank, and its own numbers are enough, a warp need not exchange any.",
    .estimand = estimand_of_lanes(),
    .default_threads = threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(draw_normals),
    .counts = counts,
    .phases = {{"sample", launch}},
};

}  // namespace normals::n11_shuffles
