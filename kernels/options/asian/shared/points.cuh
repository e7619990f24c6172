// The points of Sobol's sequence that give the paths of the Asian option, two coordinates for each step, as the lanes of a
// warp read them from shared memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/options/asian/shared/bridge_path.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"

namespace asian {

constexpr unsigned lanes = 32;

__host__ __device__ __forceinline__ WordPair operator^(WordPair a, WordPair b) { return {a.a ^ b.a, a.b ^ b.b}; }

/// A point is the XOR of direction numbers over the bits of its code. The low 5 bits of the code are the lane, so
/// two parts give a coordinate: one of the lane, from a table of 32 points that the block shares, and one of the warp, from
/// its own table of one point. That point goes through the Gray codes: one bit changes, and each word of the table by one
/// XOR. It begins with the random shift of the launch, which is then in every point.
///
/// Rows are in the order in which a path takes its words.
template <unsigned steps>
class Points {
 public:
    /// Shared memory of a block.
    static constexpr std::size_t bytes(unsigned threads) {
        return sizeof(WordPair) * steps * (lanes + threads / lanes);
    }

    /// All threads of the block call it. `directions` holds 32 rows of `steps` pairs. The warp's points begin with group
    /// `group` of 32.
    __device__ __forceinline__ Points(WordPair* shared, const WordPair* directions, std::uint64_t group,
                                      std::uint64_t seed, std::uint64_t launch)
        : of_lanes_(shared), of_warp_(shared + steps * (lanes + threadIdx.x / lanes)), directions_(directions) {
        for (unsigned i = threadIdx.x; i < steps * lanes; i += blockDim.x) {
            of_lanes_[i] = point(i % lanes, i / lanes, {0, 0});
        }
        const auto first = static_cast<unsigned>(group);
        for (unsigned row = lane(); row < steps; row += lanes) {
            const WordPair shift = {rng::stream_seed(seed, launch, 0, 2 * row),
                                    rng::stream_seed(seed, launch, 0, 2 * row + 1)};
            of_warp_[row] = point((first ^ first >> 1) * lanes, row, shift);
        }
        __syncthreads();
    }

    /// The words of this lane's point, row after row.
    class Reader {
     public:
        __device__ __forceinline__ Reader(const WordPair* of_lane, const WordPair* of_warp)
            : of_lane_(of_lane), of_warp_(of_warp) {}

        __device__ __forceinline__ WordPair operator()() {
            const WordPair words = *of_lane_ ^ *of_warp_;
            of_lane_ += lanes;
            of_warp_++;
            return words;
        }

     private:
        const WordPair *of_lane_, *of_warp_;
    };

    __device__ __forceinline__ Reader reader() const { return {of_lanes_ + lane(), of_warp_}; }

    /// From group `group` to the next one.
    __device__ __forceinline__ void advance(std::uint64_t group) {
        const unsigned bit = 5 + __ffsll(static_cast<long long>(group + 1)) - 1;
        __syncwarp();
        for (unsigned row = lane(); row < steps; row += lanes) {
            of_warp_[row] = of_warp_[row] ^ directions_[bit * steps + row];
        }
        __syncwarp();
    }

 private:
    __device__ static __forceinline__ unsigned lane() { return threadIdx.x % lanes; }

    __device__ __forceinline__ WordPair point(unsigned code, unsigned row, WordPair words) const {
        for (unsigned bit = 0; code != 0; bit++, code >>= 1) {
            if (code & 1) words = words ^ directions_[bit * steps + row];
        }
        return words;
    }

    WordPair *of_lanes_, *of_warp_;
    const WordPair* directions_;
};

}  // namespace asian
