// Paths of the Asian option in float, as the steps of the ladder walk them, and the sums that they publish.
#pragma once

#include <cuda_runtime.h>

#include "kernels/options/asian/shared/option.hpp"
#include "kernels/options/shared/published_sums.cuh"
#include "kernels/random/normals/box_muller.cuh"

namespace asian {

/// Sums of payoff and excess.
using Sums = options::PublishedSums<bits, bits>;

/// Step::counts.
template <typename AnySums>
std::size_t counts_of(bench::Shape shape) {
    return std::size_t{AnySums::columns} * shape.blocks;
}

/// Sums of payoff, geo_a and geo_b.
using ControlledSums = options::PublishedSums<bits, bits, bits>;

/// x if it is positive, else 0. NaN stays NaN, so that the path counts as bad.
__host__ __device__ __forceinline__ float positive_part(float x) { return x - fminf(x, 0.0f); }

/// Adds a path to the sums of payoff and excess.
__host__ __device__ __forceinline__ void add_path(Sums* sums, float excess) {
    sums->add(positive_part(excess), excess);
}

/// The mean of max(a, b), less its last value: prices are in units of the first one.
template <unsigned steps>
__host__ __device__ __forceinline__ float excess_of(float sum, float last) {
    constexpr float start = model(steps).start;
    return fmaf(sum, start / steps, -start * last);
}

/// A path as the formulas are written: two exponentials a step.
template <unsigned steps>
class PricePath {
 public:
    /// The normals are those of a pair: z_a is its cosine, z_b its sine.
    __host__ __device__ __forceinline__ void step(const rng::NormalPair& z) {
        constexpr Model m = model(steps);
        constexpr float mu_a = m.mu_a, mu_b = m.mu_b, s_aa = m.s_aa, s_ab = m.s_ab, s_bb = m.s_bb;
        a_ *= expf(fmaf(s_aa, z.cosine, mu_a));
        b_ *= expf(fmaf(s_bb, z.sine, fmaf(s_ab, z.cosine, mu_b)));
        sum_ += fmaxf(a_, b_);
    }

    /// NaN if a normal of either price was not finite: a maximum would hide it.
    __host__ __device__ __forceinline__ float excess() const {
        const bool good = a_ > 0 && b_ > 0;
        return good ? excess_of<steps>(sum_, fmaxf(a_, b_)) : NAN;
    }

 private:
    float a_ = 1, b_ = 1, sum_ = 0;
};

/// What moves in a path of binary logarithms: A, which is log2 a, and the gap G = 4 (A - B) to B, which is log2 b. G moves
/// by z_a - 4 z_b where A moves by z_a, because s_ab is 3/4 s_aa and s_bb is s_aa.
template <unsigned steps>
struct Logarithms {
    static_assert(model(steps).s_ab == 0.75 * model(steps).s_aa && model(steps).s_bb == model(steps).s_aa);
    static constexpr double log2_e = 1.4426950408889634;
    static constexpr double unit = model(steps).s_aa * log2_e;  // of A, for a normal of 1
    static constexpr double drift_a = model(steps).mu_a * log2_e, drift_b = model(steps).mu_b * log2_e;  // of a step
    static constexpr double gap_drift = 4 * (drift_a - drift_b);
};

/// e^x of the small drift of a path, for the compiler.
__host__ __device__ constexpr double exponential(double x) { return 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4))); }

/// A step of a LogPath in both coordinates: the radius of its normals times these.
struct Move {
    float radius, log_a, gap;
};

/// A path in binary logarithms. max(a, b) is the exponential of the larger one, so a step takes one exponential.
///
/// A and G move without their drifts. After t steps
///     log2 max(a, b) = A - min(G, -t gap_drift) / 4 + t drift_b,
/// where the threshold is a constant. So is 2^(t drift_b), which the sum of the prices multiplies in.
template <unsigned steps>
class LogPath {
 public:
    /// The move for two words: the polynomials of box_muller.cuh give it without an instruction more.
    __host__ __device__ static __forceinline__ Move move(unsigned radius_word, unsigned angle_word) {
        const float y = rng::half_angle(angle_word);
        const float q = y * y;
        const float log_a = rng::with_sign_of(radius_word, rng::half_cosine(q, Log::unit));
        return {rng::xu_sqrt_of_negative(rng::log2_of_31_bits(radius_word)), log_a,
                fmaf(y, rng::sine_factor(q, -4 * Log::unit), log_a)};
    }

    /// Step t = 1, 2, ... of a group. t is known when the kernel is compiled.
    __host__ __device__ __forceinline__ void step(unsigned t, const Move& move) {
        log_a_ = fmaf(move.radius, move.log_a, log_a_);
        gap_ = fmaf(move.radius, move.gap, gap_);
        const float price = rng::xu_exp2(fmaf(-0.25f, fminf(gap_, static_cast<float>(t * -Log::gap_drift)), log_a_));
        const auto growth = static_cast<float>(exponential(t * model(steps).mu_b));
        sum_ = fmaf(price, growth, sum_);
        last_ = price * growth;
    }

    /// After a group of n steps: the next one counts from 1 again.
    __host__ __device__ __forceinline__ void end_group(unsigned n) {
        log_a_ += static_cast<float>(n * Log::drift_a);
        gap_ += static_cast<float>(n * Log::gap_drift);
    }

    /// NaN if a normal of either price was not finite: a maximum would hide it.
    __host__ __device__ __forceinline__ float excess() const {
        return fmaf(0.0f, log_a_ + gap_, excess_of<steps>(sum_, last_));
    }

 protected:
    using Log = Logarithms<steps>;

    float log_a_ = 0, gap_ = 0;

 private:
    float sum_ = 0, last_ = 0;
};

/// A LogPath with its controls, the payoffs of each asset alone whose mean is geometric. Two additions a step make the sums
/// of the logarithms, four exponentials a path the payoffs.
template <unsigned steps>
class ControlledPath : public LogPath<steps> {
 public:
    __host__ __device__ __forceinline__ void step(unsigned t, const Move& move) {
        LogPath<steps>::step(t, move);
        sum_log_a_ += this->log_a_;
        sum_gap_ += this->gap_;
    }

    __host__ __device__ __forceinline__ void end_group(unsigned n) {
        LogPath<steps>::end_group(n);
        const double drifts = n * (n + 1) / 2.0;
        sum_log_a_ += static_cast<float>(drifts * Logarithms<steps>::drift_a);
        sum_gap_ += static_cast<float>(drifts * Logarithms<steps>::gap_drift);
    }

    /// After the last group.
    __host__ __device__ __forceinline__ float geo_a() const { return put(sum_log_a_, this->log_a_); }
    __host__ __device__ __forceinline__ float geo_b() const {
        return put(fmaf(-0.25f, sum_gap_, sum_log_a_), fmaf(-0.25f, this->gap_, this->log_a_));
    }

 private:
    __host__ __device__ static __forceinline__ float put(float sum_of_logs, float last_log) {
        constexpr float start = model(steps).start;
        return start * positive_part(rng::xu_exp2(sum_of_logs / steps) - rng::xu_exp2(last_log));
    }

    float sum_log_a_ = 0, sum_gap_ = 0;
};

}  // namespace asian
