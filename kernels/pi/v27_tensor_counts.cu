// Step 27: shifts, counted by the tensor cores
// Change: a word is x[n] + floor(x[n - 1] / 2^11) or / 2^16 in turns (ShiftedMrg), without dot products. A warp's words of the
//         nodes that its lanes share are counted by products of bit matrices. Blocks have 1,024 threads. All else is v26.
// Why:    the words and their counts are all that is left. v26's adders take three LOP3 for two words beside the population count, and
//         every other word takes a dot product on the pipe of the multiply-adds. One instruction of the tensor cores counts
//         128 words of a warp. Each change alone is a loss. Together the counts free the ALU pipe for the shifts, which free the
//         pipe of the multiply-adds. Tensor cores in use make the clock lower: 1,800 MHz of 1,980. Predicted: 71,000
//         samples/ns, 1.14 times v26.
// Cost:   0.261 instructions per sample, where 0.29 was predicted.
// Limit:  the issue slots, idle a third of the time: words wait while matrix products read registers (loops of these alone).
#include "bench/step.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/v25_one_bit.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace pi::v27 {

using bench::Count;
using bench::Launch;
using v25::warp;

constexpr unsigned threads = 1024;

/// The number of bits that are set in a warp's words: `total` of all lanes together. A row of the first matrix has 256 bits, four
/// lanes' shares of it. The second matrix is all ones, so each column of the product has the counts of the rows (PTX ISA,
/// "Matrix fragments for mma.m16n8k256").
class TensorCounts {
 public:
    __device__ __forceinline__ void add(unsigned a, unsigned b, unsigned c, unsigned d) {
        // Volatile, so that it stays where no lane is missing.
        asm volatile(
            "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, "
            "{%0, "
            "%1, %2, %3};"
            : "+r"(product_[0]), "+r"(product_[1]), "+r"(product_[2]), "+r"(product_[3])
            : "r"(a), "r"(b), "r"(c), "r"(d), "r"(~0u));
    }
    __device__ __forceinline__ unsigned total() const {
        const bool has_first_column = threadIdx.x % 4 == 0;
        return has_first_column ? product_[0] + product_[2] : 0;
    }

 private:
    unsigned product_[4] = {};
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using Ones = TensorCounts;
#else  // has no product with AND
using Ones = CountInFours;
#endif

__device__ const auto tree = three_bit_tree;

__global__ void __launch_bounds__(threads)
    count_hits(Count* totals, unsigned* counts, unsigned iters, std::uint64_t seed, std::uint64_t launch) {
    rng::ShiftedMrgDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});
    unsigned* const of_warp = counts + rng::grid_thread() / warp * tree.nodes;

    const Count local = v25::count_by_halving<Ones, 120>(draw, tree, iters, of_warp);

    store_block_sum(local, &totals[blockIdx.x]);
}

cudaError_t launch(const Launch& l) {
    count_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, static_cast<unsigned*>(l.scratch), l.iters,
                                                                 l.seed, l.index);
    return cudaGetLastError();
}

extern const bench::Step step;
const bench::Step step = {
    .name = "v27",
    .after = "v26",
    .title = "Shifts, counted by the tensor cores",
    .technique = "words of two shifts in turns, counted by products of bit matrices",
    .lesson = "Two changes that lose alone may gain together.",
    .estimand = bench::hits({.source = sources::shifted_halving}),
    .default_threads = threads,
    .default_iters = 20'000'000,
    .most_iters = most_halved,
    .loops_from = halving_loops_from,
    .kernel = reinterpret_cast<const void*>(count_hits),
    .scratch_bytes = v25::bytes_of_counts<decltype(three_bit_tree)>,
    .phases = {{"sample", launch}},
};

}  // namespace pi::v27
