// Ablation of step 20: words on the tensor cores
// Change: as v20, but the dot products of four words are one matrix product of the warp, which adds them to the words, too. Each
//         word gets the dot product of another lane's bytes. The generator has 20 words of state, as v21's, so that trips take
//         whole fours. And a matrix product takes a whole warp, so a warp decides its samples together.
// Why:    four dot products take the FMA heavy pipe eight cycles, and the matrix product none: of 29 instructions for 32
//         samples 6 are saved. Predicted: no gain, as a matrix product holds up the other instructions of its scheduler for as
//         long as it lasts.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/shared/tensor_words.cuh"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v20_tensor_words {

namespace cg = cooperative_groups;

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 512;  // two blocks a multiprocessor leave 64 registers a thread, a few of which spill
constexpr unsigned group = warp_size * v15::lanes;  // samples of a warp that are decided at once

__device__ __forceinline__ unsigned lane() { return threadIdx.x % warp_size; }

/// `to` plus the product of 16 x 32 bytes and 32 x 8 bytes (m16n8k32). Volatile, so that it stays where no lane is missing.
__device__ __forceinline__ void add_product(const unsigned (&rows)[4], const unsigned (&columns)[2],
                                            unsigned (&to)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800  // has but a quarter of that product (m8n8k16)
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned k = 0; k < 2; k++) {
            asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+r"(to[2 * half]), "+r"(to[2 * half + 1])
                         : "r"(rows[2 * k + half]), "r"(columns[k]));
        }
    }
#else
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+r"(to[0]), "+r"(to[1]), "+r"(to[2]), "+r"(to[3])
        : "r"(rows[0]), "r"(rows[1]), "r"(rows[2]), "r"(rows[3]), "r"(columns[0]), "r"(columns[1]));
#endif
}

/// A lane's words. All lanes of a warp draw together.
class Draws : private TensorMrg {
 public:
    static constexpr unsigned round = tensor_mrg_words, turns = mixed_at_once;

    __device__ __forceinline__ explicit Draws(const bench::StreamId& id)
        : TensorMrg(rng::HashedState{id}), rows_(tensor_rows(lane())) {}

    __device__ __forceinline__ unsigned operator()() {
        if (next_ == 0) {
            mix_four();
        }
        const unsigned word = mixed_[next_];
        next_ = (next_ + 1) % mixed_at_once;
        return word;
    }

 private:
    __device__ __forceinline__ void mix_four() {
        const unsigned before[] = {x_[round - 2], x_[round - 1]};
#pragma unroll
        for (unsigned& word : mixed_) {
            word = TensorMrg::operator()();
        }
        add_product(rows_.of, before, mixed_);
    }

    TensorRows rows_;
    unsigned mixed_[mixed_at_once];
    unsigned next_ = 0;  // a constant wherever draws are unrolled by turns
};

/// The bits that count where the first `left` samples of a group do, lane by lane.
__device__ __forceinline__ unsigned counted_of(unsigned left) {
    const unsigned before = lane() * v15::lanes;
    return left >= before + v15::lanes ? ~0u : left <= before ? 0 : (1u << (left - before)) - 1;
}

/// Decides `samples` samples of the warp. Adds this lane's hits to `*hits`, and returns how many the level cuts in the warp.
template <typename LevelNetwork>
__device__ __forceinline__ Count decide(Draws& draw, Count samples, Count* hits) {
    unsigned inside = 0, outside = 0;
    Count left = samples;
    for (; left >= Draws::round * group; left -= Draws::round * group) {
#pragma unroll
        for (unsigned i = 0; i < Draws::round; i++) {
            const Decided<unsigned> decided = v15::decide_group<LevelNetwork>(draw);
            inside += __popc(decided.inside);
            outside += __popc(decided.outside);
        }
    }
    for (auto rest = static_cast<unsigned>(left); rest > 0;) {
#pragma unroll
        for (unsigned turn = 0; turn < Draws::turns; turn++) {
            const Decided<unsigned> decided = v15::decide_group<LevelNetwork>(draw);
            const unsigned counted = counted_of(rest);
            inside += __popc(decided.inside & counted);
            outside += __popc(decided.outside & counted);
            rest -= min(rest, group);
        }
    }
    *hits += inside;
    const auto warp = cg::tiled_partition<warp_size>(cg::this_thread_block());
    return samples - cg::reduce(warp, Count{inside} + outside, cg::plus<Count>());
}

/// This lane's hits among `samples` samples of the warp that the last level cut, one for a lane at a time.
__device__ __forceinline__ unsigned test(Draws& draw, Count samples, const LastCells<10>& cells) {
    unsigned hits = 0;
    for (Count done = 0; done < samples;) {
#pragma unroll
        for (unsigned i = 0; i < Draws::round / 2; i++, done += warp_size) {
            const unsigned hit = v15::test(draw, 1, cells);
            hits += done + lane() < samples ? hit : 0;
        }
    }
    return hits;
}

/// This lane's hits among `samples` samples of the warp that reach `level`.
template <unsigned level = first_level>
__device__ __forceinline__ Count hits_among(Draws& draw, Count samples, const LastCells<10>& cells) {
    Count hits = 0;
    const Count cut = decide<OctantNetwork<level>>(draw, samples, &hits);
    if constexpr (level < 10) {
        return hits + hits_among<level + 1>(draw, cut, cells);
    } else {
        return hits + test(draw, cut, cells);
    }
}

__constant__ const LastCells<10> constant_cells = octant_last_cells_10;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    __shared__ LastCells<10> cells;
    for (unsigned slot = threadIdx.x; slot < cells.slots; slot += blockDim.x) {
        cells.x_and_y[slot] = constant_cells.x_and_y[slot];
    }
    __syncthreads();
    Draws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    const Count local = hits_among(draw, Count{warp_size} * iters, cells);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters, l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v20_tensor_words",
    .after = "v20",
    .title = "v20, words on the tensor cores",
    .technique = "dot products of four words in one matrix product",
    .lesson = "An idle unit is no gain if the scheduler waits for it.",
    .estimand = bench::hits({.source = sources::tensor_words}),
    .default_threads = threads,
    .default_iters = 2'000'000,
    .loops_from = samples_for(10, v15::lanes* Draws::round),
    .kernel = reinterpret_cast<const void*>(count_hits),
    .phases = {{"sample", launch}},
};

}  // namespace pi::v20_tensor_words
