// Step 8: the phases overlap
// Change: as a7, but each piece of a chunk is copied as soon as a core has made it, and a chunk is tested as soon as it is
//         copied. One stream copies and another one tests; an event per chunk joins them.
// Why:    the total is the slowest phase and not the sum. Predicted: 4.3, from 0.22 ns for the words and 0.145 for the copy
//         behind them; PCIe would allow 6.9.
// Cost:   as a7, in 320 pieces of 2 MiB or 1 MiB. The calls that enqueue a piece take a core some microseconds.
// Limit:  the generator on all cores; with more of them, PCIe. Next: words made where they are used.
#include <array>

#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/arrays/device/add_partial_sums.cuh"
#include "kernels/arrays/device/hit_sum.hpp"
#include "kernels/arrays/device/host_words.hpp"
#include "kernels/arrays/device/phases.hpp"
#include "kernels/arrays/device/sources.hpp"

namespace arrays::a8 {

using bench::Launch;

constexpr unsigned rng = 0, transfer = 1, compute = 2;  // of the phases below

class Pipeline : public bench::Equipment {
 public:
    explicit Pipeline(std::uint64_t samples) : hit_sum_(samples) { CUDA_CHECK(cudaGetDevice(&device_)); }

    /// Enqueues the copy of a piece, and behind the last piece of a chunk the test of the chunk.
    void hand_on(const Launch& l, unsigned piece, const Part& part) {
        CUDA_CHECK(cudaSetDevice(device_));  // this thread may be new to it
        const Words from = part_of(words_on_host(l), part), to = part_of(words_on_gpu(l), part);
        l.phase_clock->begin(transfer, copies_.get());
        copy(to.x, from.x, part);
        copy(to.y, from.y, part);
        l.phase_clock->end(transfer, copies_.get());
        if (piece % pieces_of_chunk == pieces_of_chunk - 1) test(l, piece / pieces_of_chunk);
    }

    /// Adds up the chunks on the launch's stream, behind their tests.
    void finish(const Launch& l) {
        tested_.record(tests_);
        tested_.hold(l.stream);
        l.phase_clock->begin(compute, l.stream);
        CUDA_CHECK(enqueue_add_partial_sums(sums_behind_words(l), chunks, l.counts, l.stream));
        l.phase_clock->end(compute, l.stream);
    }

 private:
    void test(const Launch& l, unsigned chunk) {
        const Words words = part_of(words_on_gpu(l), chunk_of(samples_of(l), chunk));
        copied_[chunk].record(copies_);
        copied_[chunk].hold(tests_.get());
        l.phase_clock->begin(compute, tests_.get());
        CUDA_CHECK(hit_sum_.enqueue(words, &sums_behind_words(l)[chunk], tests_.get()));
        l.phase_clock->end(compute, tests_.get());
    }
    static Words part_of(const Words& all, const Part& part) {
        return {all.x + part.first, all.y + part.first, part.samples};
    }
    void copy(std::uint32_t* to, const std::uint32_t* from, const Part& part) {
        CUDA_CHECK(cudaMemcpyAsync(to, from, part.samples * word_bytes, cudaMemcpyHostToDevice, copies_.get()));
    }

    int device_ = 0;
    bench::Stream copies_, tests_;
    std::array<bench::Event, chunks> copied_;
    bench::Event tested_;
    HitSum hit_sum_;
};

std::unique_ptr<bench::Equipment> equip(const Launch& l) { return std::make_unique<Pipeline>(samples_of(l)); }

cudaError_t make_copy_test(const Launch& l) {
    auto& pipeline = *static_cast<Pipeline*>(l.equipment);
    l.phase_clock->begin_on_host(rng);
    make_chunks(words_on_host(l), {l.seed, l.index},
                [&](unsigned piece, const Part& part) { pipeline.hand_on(l, piece, part); });
    l.phase_clock->end_on_host(rng);
    pipeline.finish(l);
    return cudaSuccess;
}

std::size_t with_sums(bench::Shape shape, unsigned iters) { return words_and_sums_bytes(shape, iters, chunks); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a8",
    .after = "a7",
    .title = "Overlapped",
    .technique = "words, copies and tests at the same time, in pieces",
    .lesson = "Phases that use different parts of the machine need not wait for each other.",
    .estimand = bench::hits({.source = sources::mt19937_chunks}),
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .kernel = nullptr,
    .counts = one_count,
    .scratch_bytes = with_sums,
    .equip = equip,
    .clock = bench::Clock::wall,
    .arrays = {.host_bytes = words_bytes, .pinned = true, .inspect = check_words, .pcie_up = 8, .dram = 16},
    .phases = {{"rng", make_copy_test, bench::On::both}, {"transfer"}, {"compute"}},
};

}  // namespace arrays::a8
