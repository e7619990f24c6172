// Step 22: starts in stock
// Change: as v21, but a warp makes the starts of 32 histories at once, a lane each, and keeps them in registers. A lane whose
//         history ends takes one of them.
// Why:    in almost every quad of words some lanes of a warp start, 9 of 32 in the mean, and all wait while these look up
//         where. With a stock they do that once in four quads, all lanes together. Predicted on an H200: 4,300 transitions/ns on
//         lap2d.
// Cost:   5.3 instructions per transition: those of v21, three shuffles a quad, and for each history a quad of words more,
//         because its first one chooses its start.
// Limit:  shared memory, where the lanes of a warp meet in banks.
// Note:   as v21.
#include "bench/step.hpp"
#include "kernels/mcls/launches/counted_paths.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/tables/path_tables.hpp"
#include "kernels/mcls/v21_counting_moves.cuh"

namespace mcls::v22 {

using bench::Launch;

constexpr unsigned threads = 1024;

using Method = QuarterPaths;

/// A history that is yet to be walked, and the row that it starts in: that of the ended if there are no more.
struct Beginning {
    std::uint64_t history;
    std::uint32_t row;
};

/// The next histories of a warp, one a lane. They are handed out in the order of lanes, from `first_` on, round and round.
class Stock {
 public:
    /// Hands out a history to each fresh lane. make(&next) sets the next one of a lane. All lanes of the warp call it.
    template <class Make>
    __device__ __forceinline__ Beginning take(bool fresh, Make make) {
        const std::uint32_t taking = __ballot_sync(all_lanes, fresh), wanted = __popc(taking), lane = threadIdx.x % 32;
        if (wanted > left_) {
            if ((lane - first_) % 32 >= left_) make(&next_);
            __syncwarp();
            left_ = 32;
        }
        const std::uint32_t from = first_ + __popc(taking & ((1u << lane) - 1));
        first_ += wanted;
        left_ -= wanted;
        return {__shfl_sync(all_lanes, next_.history, from), __shfl_sync(all_lanes, next_.row, from)};
    }

 private:
    static constexpr unsigned all_lanes = 0xffffffffu;

    Beginning next_ = {};
    std::uint32_t first_ = 0, left_ = 0;  // the same in all lanes
};

__global__ void __launch_bounds__(threads)
    walk(const __grid_constant__ Method method, const __grid_constant__ PhiloxKeys keys, std::uint32_t launch,
         std::uint64_t histories, bench::Count* cells, Counts counts) {
    extern __shared__ std::uint32_t path_words[];
    const PathWords words(path_words, method);
    const Share share(histories, Order::in_turn);
    Stock stock;
    std::uint32_t row = words.ended(), number = 0;
    HistoryId id = {launch, 0};
    Work done;
    const auto make = [&](Beginning* next) {
        if (next->row == words.ended()) return;  // a lane finds once that there are no more
        if (share.take(&next->history)) {
            done.histories++;
            const rng::PhiloxCounter quad = quad_of(keys, {launch, next->history}, 0);
            next->row = PathWords::row_of(method.start_of(next->history, quad.word[3]));
        } else {
            next->row = words.ended();
        }
    };
    for (bool more = true;;) {
        const bool fresh = more && row == words.ended();
        const Beginning begun = stock.take(fresh, make);
        if (fresh) {
            id.history = begun.history;
            row = begun.row;
            number = 0;
            more = row != words.ended();
        }
        if (!__any_sync(0xffffffffu, more)) break;
        row = words.walk(row, quad_of(keys, id, number++));
    }
    done.transitions -= done.histories;  // a history has one visit more
    counts.add_work(done);
    words.publish(cells);
}

cudaError_t launch(const Launch& l) {
    const Walks& walks = walks_of(l.problem);
    walk<<<l.shape.blocks, l.shape.threads, PathWords::bytes_of_block(walks, l.shape.threads), l.stream>>>(
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
    .histories_of_block = histories_of_paths,
    .shared_bytes = PathWords::bytes_of_block,
});

extern const bench::Step step;
const bench::Step step = {
    .name = "v22",
    .after = "v21",
    .title = "Starts in stock",
    .technique = "a warp makes 32 starts at once, for the lanes that need one next",
    .lesson = "What few lanes need at a time, all lanes can make in advance.",
    .estimand = estimand_of(design),
    .default_threads = threads,
    .default_iters = 1,
    .loops_from = 4,
    .kernel = reinterpret_cast<const void*>(walk),
    .phases = {{"clear", clear_counted_paths}, {"walk", launch}, {"add", add_counted_paths}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v22
