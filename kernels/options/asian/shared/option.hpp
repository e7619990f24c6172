// The option of the ladder `asian`: its parameters, a path of it in double precision, what is known of it, and what a step
// that prices it publishes. .cu files include it, so it is C++17.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <memory>

#include "bench/estimands/means/means_of.hpp"
#include "kernels/random/normals/normals_of.hpp"

namespace asian {

/// Two assets over one year of `steps` equal steps. With independent normals z_a and z_b, the logarithms of their prices
/// rise by mu_a + s_aa z_a and by mu_b + s_ab z_a + s_bb z_b in each step.
struct Model {
    unsigned steps;
    double start;  // both prices at first
    double mu_a, mu_b, s_aa, s_ab, s_bb;
};

/// Volatilities of 25 % and 31.25 % a year, correlation 0.6, interest 4.6875 %. With 16, 64, 256 or 1024 steps all
/// parameters are dyadic, so a float holds them exactly.
__host__ __device__ constexpr Model model(unsigned steps) {
    const double length = 256.0 / steps;  // of a step, in 256ths of the year
    const double root = steps == 16 ? 4 : steps == 64 ? 2 : steps == 256 ? 1 : steps == 1024 ? 0.5 : 0;
    return {steps, 100, length / 16384, -length / 131072, root / 64, root * 3 / 256, root / 64};
}

/// What a path pays, and its controls.
template <typename Real>
struct Path {
    Real excess;        // the mean of max(a, b) over all steps, less its last value
    Real payoff;        // the excess if it is positive, else 0
    Real geo_a, geo_b;  // what a path of one asset pays whose mean is geometric
};

/// A path of `m` in double precision, as the formulas are written. `normal()` gives z_a and z_b of the first step, then of
/// the second one, and so on.
#ifdef __CUDACC__
#pragma nv_exec_check_disable  // `normal` may be for the host alone
#endif
template <typename Normal>
__host__ __device__ Path<double> path(const Model& m, Normal&& normal) {
    double log_a = 0, log_b = 0, sum_log_a = 0, sum_log_b = 0, sum = 0, a = 0, b = 0;
    for (unsigned t = 0; t < m.steps; t++) {
        const double z_a = normal(), z_b = normal();
        log_a += m.mu_a + m.s_aa * z_a;
        log_b += m.mu_b + m.s_ab * z_a + m.s_bb * z_b;
        sum_log_a += log_a;
        sum_log_b += log_b;
        a = m.start * exp(log_a);
        b = m.start * exp(log_b);
        sum += fmax(a, b);
    }
    const double excess = sum / m.steps - fmax(a, b);
    return {excess, fmax(excess, 0.0), fmax(m.start * exp(sum_log_a / m.steps) - a, 0.0),
            fmax(m.start * exp(sum_log_b / m.steps) - b, 0.0)};
}

/// Expectations in closed form.
/// Of max(a, b) after t steps: Margrabe, "The value of an option to exchange one asset for another", Journal of Finance 33,
/// 1978.
double mean_maximum(const Model& m, unsigned t);
/// Of the excess.
double mean_excess(const Model& m);
/// Of geo_a and geo_b: the geometric mean of a price is log-normal, so Margrabe's formula holds for it and the last price.
double mean_geo_a(const Model& m);
double mean_geo_b(const Model& m);

/// What is known of the payoff by computation, with the standard deviation of its error.
struct Reference {
    unsigned steps;
    bench::Expected price, variance;
    double kurtosis;
    bench::Expected positive;  // share of paths that pay
};

/// For 16, 64 and 256 steps. Throws std::out_of_range for others.
const Reference& reference(unsigned steps);

/// The statistics that a step publishes, in this order: payoff and excess; their means over a path and its mirror image, whose
/// normals have the opposite signs; or payoff, geo_a and geo_b, the latter two as controls.
enum class Publishes { excess, excess_of_pairs, controls };

/// How far the mean payoff and the means of excess and controls in float may be from those in double precision. Tests on a
/// GPU measure less.
struct FloatError {
    double payoff, other;
};

/// Of paths that are sums of logarithms.
inline constexpr FloatError error_of_sums = {3e-6, 3e-6};

/// Of paths whose prices are products: the errors of XU's exponentials add up.
constexpr FloatError error_of_products(unsigned steps) { return {2e-7 * steps, 6e-7 * steps}; }

/// How a step draws its paths.
struct Draws {
    unsigned steps = 256;
    const char* generator;
    bench::Soundness soundness;
    Publishes publishes = Publishes::excess;
    bench::Independent independent = bench::Independent::samples;
    std::uint64_t most_numbers = 0;  // points of the set, or 0
    FloatError float_error = error_of_sums;
    rng::NormalsOf normals = nullptr;  // with which the host replays a thread's paths
};

/// The facts of a step that prices the option.
bench::MeansOf price_of(const Draws& draws);

/// The facts of a step all of whose normals z_a are one number, and all z_b another.
bench::MeansOf constant_price(unsigned steps, double z_a, double z_b);

/// The option --steps of a program whose own number of steps is 256.
std::shared_ptr<const bench::OwnOptions> steps_choice(const bench::Step* of_16_steps, const bench::Step* of_64_steps);

/// Path-steps of a thread in a launch, by default: then a launch takes milliseconds, and a block of 256 threads does not
/// exceed most_numbers_of_block with 16 steps.
inline constexpr unsigned path_steps = 1 << 15;

/// Step::loops_from: what is unrolled lies within a path.
inline constexpr unsigned loops_from = 2;

/// Bits of the grid of payoff, excess, geo_a and geo_b: all are below 4096, or the price has moved by 11 standard
/// deviations.
inline constexpr int bits = 10;

}  // namespace asian
