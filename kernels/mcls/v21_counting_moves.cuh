// Words that count and move, introduced by v21, and the kernel of that step and its ablation.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/quarter_paths.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// A word for each path, in shared memory: the state that the path leads to, and above its bits how many walkers took it. The
/// words of a state's 64 paths are a row. A row is given by its place in bytes, so that what an atomic returns becomes the
/// next row by one shift.
class PathWords {
 public:
    /// All threads of the block call it, and wait for each other before they walk.
    __device__ __forceinline__ PathWords(std::uint32_t* words, const QuarterPaths& method)
        : words_(words), n_(method.n) {
        for (std::uint32_t i = threadIdx.x; i < (n_ + 1) * QuarterPaths::paths; i += blockDim.x) {
            words_[i] = method.next[i] / QuarterPaths::paths;
        }
    }

    __device__ static __forceinline__ std::uint32_t row_of(std::uint32_t state) { return state << bits_of_row; }
    /// The row of histories that have ended.
    __device__ __forceinline__ std::uint32_t ended() const { return row_of(n_); }

    /// Walks the paths of a quad of random words. Returns the row after them.
    __device__ __forceinline__ std::uint32_t walk(std::uint32_t row, const rng::PhiloxCounter& quad) const {
#pragma unroll
        for (unsigned i = 0; i < QuarterPaths::words_of_quad; i++) {
#pragma unroll
            for (unsigned path = 0; path < QuarterPaths::paths_of_word; path++) {
                const std::uint32_t rest = quad.word[i] >> QuarterPaths::path_bits * path;
                std::uint32_t* const word = word_at(row | (rest << 2 & 4 * (QuarterPaths::paths - 1)));
                row = row_of(atomicAdd(word, walker) % walker);
            }
        }
        return row;
    }

    /// Adds the walkers to the cells. All threads of the block call it.
    __device__ __forceinline__ void publish(bench::Count* cells) const {
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < n_ * QuarterPaths::cells; i += blockDim.x) {
            std::uint32_t walkers = 0, path = QuarterPaths::first_path_of(i);
            for (unsigned last = 0; last < 4; last++, path += QuarterPaths::cells) walkers += words_[path] / walker;
            atomicAdd(&cells[i], bench::Count{walkers});
        }
    }

    /// For Design::shared_bytes.
    static std::size_t bytes_of_block(const Walks& walks, unsigned) {
        return (walks.n + std::size_t{1}) * QuarterPaths::paths * sizeof(std::uint32_t);
    }

 private:
    static constexpr std::uint32_t bits_of_row = QuarterPaths::path_bits + 2, walker = 1u << QuarterPaths::state_bits;

    __device__ __forceinline__ std::uint32_t* word_at(std::uint32_t place) const {
        return reinterpret_cast<std::uint32_t*>(reinterpret_cast<unsigned char*>(words_) + place);
    }

    std::uint32_t* words_;
    std::uint32_t n_;
};

/// Walks the histories of a block. All threads of the block call it.
__device__ __forceinline__ void walk_counting_moves(const QuarterPaths& method, const PhiloxKeys& keys,
                                                    std::uint32_t launch, std::uint64_t histories, Order order,
                                                    bench::Count* cells, Counts counts) {
    extern __shared__ std::uint32_t path_words[];
    const PathWords words(path_words, method);
    const Share share(histories, order);
    std::uint32_t row = words.ended(), number = 0;
    HistoryId id = {launch, 0};
    Work done;
    for (;;) {
        const bool fresh = row == words.ended();
        if (fresh) {
            if (!share.take(&id.history)) break;
            done.histories++;
            number = 0;
        }
        const rng::PhiloxCounter quad = quad_of(keys, id, number++);
        if (fresh) row = PathWords::row_of(method.start_of(id.history, quad.word[3]));
        row = words.walk(row, quad);
    }
    done.transitions -= done.histories;  // a history has one visit more
    counts.add_work(done);
    words.publish(cells);
}

}  // namespace mcls
