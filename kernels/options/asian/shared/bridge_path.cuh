// A path of the Asian option through a Brownian bridge.
#pragma once

#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/normals/inverse_cdf.cuh"

namespace asian {

/// Two coordinates of a point, for z_a and z_b of a node.
struct alignas(8) WordPair {
    unsigned a, b;
};

/// A path in binary logarithms, here with their drifts. The bridge is walked depth first (bridge.hpp): a node is the mean of
/// two known nodes plus a normal, and of every open half one node is kept, eight at most. Every node is a date of the
/// option, so its price is added when the node is made.
template <unsigned steps>
class BridgePath {
 public:
    /// `words()` gives the words of the next visit.
    template <typename Words>
    __host__ __device__ __forceinline__ float excess(Words&& words) {
        const Node noise = normals(words(), root(steps));
        const Node end = {noise.log_a + static_cast<float>(steps * Log::drift_a),
                          noise.gap + static_cast<float>(steps * Log::gap_drift)};
        add(end);
        const float last = sum_;
        walk<steps>(words, {0, 0}, end);
        return excess_of<steps>(sum_, last);
    }

 private:
    using Log = Logarithms<steps>;

    struct Node {
        float log_a, gap;
    };

    /// Halves of more steps than this share their code, so that the instructions stay in their cache.
    static constexpr unsigned unrolled = 16;

    /// The root of a power of two, for the compiler.
    __host__ __device__ static constexpr double root(unsigned power) {
        return power == 1 ? 1 : power == 2 ? 1.4142135623730951 : 2 * root(power / 4);
    }

    /// The moves of A and G by normals of standard deviation `sd`.
    __host__ __device__ static __forceinline__ Node normals(WordPair words, double sd) {
        const float a = rng::inverse_cdf(words.a, sd * Log::unit);
        return {a, a - rng::inverse_cdf(words.b, 4 * sd * Log::unit)};
    }

    /// The nodes between two that are `length` steps apart.
    template <unsigned length, typename Words>
    __host__ __device__ __forceinline__ void walk(Words& words, Node left, Node right) {
        if constexpr (length > 1) {
            const Node noise = normals(words(), root(length) / 2);
            const Node middle = {fmaf(0.5f, left.log_a + right.log_a, noise.log_a),
                                 fmaf(0.5f, left.gap + right.gap, noise.gap)};
            add(middle);
            if constexpr (length <= unrolled) {
                walk<length / 2>(words, left, middle);
                walk<length / 2>(words, middle, right);
            } else {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
                for (unsigned half = 0; half < 2; half++) {
                    walk<length / 2>(words, half == 0 ? left : middle, half == 0 ? middle : right);
                }
            }
        }
    }

    __host__ __device__ __forceinline__ void add(Node node) {
        sum_ += rng::xu_exp2(fmaf(-0.25f, fminf(node.gap, 0.0f), node.log_a));
    }

    float sum_ = 0;
};

}  // namespace asian
