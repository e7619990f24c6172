// Wallace's generator: new normal numbers from old ones by orthogonal matrices, without logarithms or roots.
//
// Wallace, "Fast pseudorandom generators for normal and exponential variates", ACM TOMS 22, 1996; on a GPU: Howes and
// Thomas, "Efficient random number generation and application using CUDA", GPU Gems 3, 2007, chapter 37. The sizes, the
// permutation and the matrices are the chapter's. A block has a pool of K = 2048 normals in shared memory. In a pass each
// of its 256 threads reads 8 of them, replaces them by 8 others and writes these where all threads together fill the pool
// again. Which thread reads what depends on a number m, which an LCG changes before each pass.
//
// A pass keeps the sum of squares of the pool, K, but that of normals varies. So the output of a pass is the new pool
// times sqrt(chi^2 / K): to a good approximation c1 + c2 g, with a normal g and c1, c2 for which mean and variance of the
// sum of squares are exact.
//
// New numbers depend on old ones in ways that tests find (options_wallace_tests). So does the lowest byte of m, which
// alone chooses the permutation: after 256 passes it is the same again.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/random/lcg.cuh"
#include "kernels/random/stream_seed.cuh"

namespace rng {

inline constexpr unsigned pool_size = 2048;    // K
inline constexpr unsigned pool_threads = 256;  // of its block
inline constexpr unsigned of_thread = pool_size / pool_threads;

/// Replaces two groups of four numbers, p q r s, by their products with orthogonal matrices. With t = (p + q + r + s) / 2
/// the first group becomes p - t, q - t, t - r, t - s, the second one t - p, t - q, r - t, s - t. A multiply-add gives the
/// same floats as half the sum and a subtraction, because halving is exact.
__host__ __device__ __forceinline__ void rotate(float (&x)[of_thread]) {
    const float a = x[0] + x[1] + x[2] + x[3], b = x[4] + x[5] + x[6] + x[7];
    x[0] -= 0.5f * a;
    x[1] -= 0.5f * a;
    x[2] = 0.5f * a - x[2];
    x[3] = 0.5f * a - x[3];
    x[4] = 0.5f * b - x[4];
    x[5] = 0.5f * b - x[5];
    x[6] -= 0.5f * b;
    x[7] -= 0.5f * b;
}

/// c1 + c2 g, with c1^4 = 1 - 1/K and c1^2 + c2^2 = 1. If g is a normal, its square has mean 1 and variance 2/K, as the sum
/// of squares of K normals over K has.
__host__ __device__ __forceinline__ float chi_factor(float g) {
    constexpr float c1 = 0.999877907329f, c2 = 0.015625953878f;
    return c1 + c2 * g;
}

/// The rows of the pool, of 8 numbers each, that a thread reads, one number from each: `row` is that of the number before.
/// The first number of thread t comes from the row after (m + t) mod 256.
__host__ __device__ __forceinline__ constexpr unsigned next_row(unsigned row) {
    return (241 * row + 59) % pool_threads;
}

/// Number j of the row.
__host__ __device__ __forceinline__ constexpr unsigned place_in(unsigned row, unsigned j) {
    return row * of_thread + j;
}

/// Where shared memory keeps number i of the pool.
struct SourceLayout {
    static constexpr unsigned words = pool_size;
    /// The reads of a warp meet in 4 of the 32 banks, 8 in each, because all of them have the same j.
    __host__ __device__ __forceinline__ static constexpr unsigned place(unsigned i) { return i; }
};
struct XorLayout {
    static constexpr unsigned words = pool_size;
    /// Four rows fill the 32 banks. Every four rows the numbers of a row change places, so that the reads of a warp of
    /// the source's threads meet in no bank. Nor do its writes.
    __host__ __device__ __forceinline__ static constexpr unsigned place(unsigned i) { return i ^ (i / 32 % of_thread); }
};
struct SwizzledLayout {
    static constexpr unsigned words = pool_size + of_thread;
    /// For the threads of SwizzledPool. The lanes of a warp write each eighth number of 256: those lie side by side. They
    /// read each 64th number of the pool: four of 256, 8 banks apart, and one word of padding after each 256 moves those
    /// of the next 256 to the next bank.
    __host__ __device__ __forceinline__ static constexpr unsigned place(unsigned i) {
        return i / pool_threads * (pool_threads + 1) + i % of_thread * 32 + i % pool_threads / of_thread;
    }
};

/// m of a block's pool: its state before the first pass.
__host__ __device__ __forceinline__ unsigned first_m(std::uint64_t seed, std::uint64_t launch, unsigned block) {
    return stream_seed(seed, launch, block, 0);
}

#ifdef __CUDACC__

/// The pool of a block whose threads work as in the source: each computes what it reads, and always writes to the same
/// places. All threads of the block call its functions.
template <typename Layout>
class SourcePool {
 public:
    static constexpr unsigned words = Layout::words;

    /// Takes the numbers of `first`, and m. `shared` has `words` floats.
    __device__ __forceinline__ SourcePool(float* shared, const float* first, unsigned m) : shared_(shared), m_(m) {
#pragma unroll
        for (unsigned j = 0; j < of_thread; j++) shared_[own(j)] = first[j * pool_threads + threadIdx.x];
        __syncthreads();
    }

    /// A pass: `x` becomes the numbers that this thread wrote. output(j): where to store number j of `x` among K.
    __device__ __forceinline__ void pass(float (&x)[of_thread], unsigned = 0) {
        unsigned row = (lcg(&m_) + threadIdx.x) % pool_threads;
#pragma unroll
        for (unsigned j = 0; j < of_thread; j++) {
            row = next_row(row);
            x[j] = shared_[Layout::place(place_in(row, j))];
        }
        __syncthreads();
        rotate(x);
#pragma unroll
        for (unsigned j = 0; j < of_thread; j++) shared_[own(j)] = x[j];
        __syncthreads();
    }

    __device__ __forceinline__ unsigned output(unsigned j) const { return j * pool_threads + threadIdx.x; }

 private:
    __device__ __forceinline__ unsigned own(unsigned j) const { return Layout::place(j * pool_threads + threadIdx.x); }

    float* shared_;
    unsigned m_;
};

/// The same numbers in a swizzled pool whose threads always read the same places: the thread that reads from the row after
/// `row`, for a constant row, does the work of the source's thread (row - m) mod 256. What is left to compute in a pass is
/// one place to write. The pool has two copies: a pass reads one and writes the other, so one barrier is enough.
class SwizzledPool {
 public:
    static constexpr unsigned words = 2 * SwizzledLayout::words;

    __device__ __forceinline__ SwizzledPool(float* shared, const float* first, unsigned m) : shared_(shared), m_(m) {
        unsigned row = row_;
#pragma unroll
        for (unsigned j = 0; j < of_thread; j++) {
            row = next_row(row);
            reads_[j] = SwizzledLayout::place(place_in(row, j));
            const unsigned own = j * pool_threads + threadIdx.x;
            shared_[SwizzledLayout::place(own)] = first[own];
        }
        __syncthreads();
    }

    /// Pass number `turn` from 0, of which only odd or even matters. Unrolled, it is a constant.
    __device__ __forceinline__ void pass(float (&x)[of_thread], unsigned turn) {
        lcg(&m_);
        const float* const from = shared_ + turn % 2 * SwizzledLayout::words;
        float* const to = shared_ + (turn + 1) % 2 * SwizzledLayout::words;
#pragma unroll
        for (unsigned j = 0; j < of_thread; j++) x[j] = from[reads_[j]];
        rotate(x);
        const unsigned own = place_to_write();
#pragma unroll
        for (unsigned j = 0; j < of_thread; j++) to[SwizzledLayout::place(j * pool_threads) + own] = x[j];
        __syncthreads();
    }

    /// Side by side for the lanes of a warp: in each 256 numbers, those of the source in the order of the layout.
    __device__ __forceinline__ unsigned output(unsigned j) const { return j * pool_threads + place_to_write(); }

 private:
    __device__ __forceinline__ unsigned place_to_write() const {
        return SwizzledLayout::place((row_ - m_) % pool_threads);
    }

    float* shared_;
    unsigned m_;
    unsigned row_ = threadIdx.x % 32 * of_thread + threadIdx.x / 32;
    unsigned reads_[of_thread];
};

#endif

}  // namespace rng
