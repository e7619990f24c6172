// What a8 does with words while more are made: copies each piece, and tests each chunk.
#pragma once

#include <array>

#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/arrays/shared/add_partial_sums.cuh"
#include "kernels/arrays/shared/hit_sum.hpp"
#include "kernels/arrays/shared/host_words.hpp"

namespace arrays {

/// One stream copies, another one tests; an event per chunk joins them.
class Pipeline : public bench::Equipment {
 public:
    static constexpr unsigned rng = 0, transfer = 1, compute = 2;  // of the step's phases

    explicit Pipeline(std::uint64_t samples) : hit_sum_(samples) { CUDA_CHECK(cudaGetDevice(&device_)); }

    /// Enqueues the copy of a piece, and behind the last piece of a chunk the test of the chunk.
    void hand_on(const bench::Launch& l, unsigned piece, const Part& part) {
        CUDA_CHECK(cudaSetDevice(device_));  // this thread may be new to it
        const Words from = part_of(words_on_host(l), part), to = part_of(words_on_gpu(l), part);
        l.phase_clock->begin(transfer, copies_.get());
        copy(to.x, from.x, part);
        copy(to.y, from.y, part);
        l.phase_clock->end(transfer, copies_.get());
        if (piece % pieces_of_chunk == pieces_of_chunk - 1) test(l, piece / pieces_of_chunk);
    }

    /// Adds up the chunks on the launch's stream, behind their tests.
    void finish(const bench::Launch& l) {
        tested_.record(tests_);
        tested_.hold(l.stream);
        l.phase_clock->begin(compute, l.stream);
        CUDA_CHECK(enqueue_add_partial_sums(sums_behind_words(l), chunks, l.counts, l.stream));
        l.phase_clock->end(compute, l.stream);
    }

 private:
    void test(const bench::Launch& l, unsigned chunk) {
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

}  // namespace arrays
