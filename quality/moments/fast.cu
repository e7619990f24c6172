// The transforms of steps that are compiled with --use_fast_math.
#include "kernels/random/normals/box_muller.cuh"
#include "kernels/random/normals/inverse_cdf.cuh"
#include "quality/moments/exhaust.cuh"

namespace normals {
namespace {

__device__ float xu_radius(unsigned word) { return rng::xu_sqrt(rng::radius_squared(word)); }
__device__ float xu_sine(unsigned word) { return rng::direction(word).sine; }
__device__ float xu_cosine(unsigned word) { return rng::direction(word).cosine; }

// sqrt(2 ln 2) is in the sine and the cosine, not in the radius.
__device__ float polynomial_radius(unsigned word) { return rng::xu_sqrt_of_negative(rng::log2_of_31_bits(word)); }
__device__ float polynomial_cosine_radius(unsigned word) { return rng::with_sign_of(word, polynomial_radius(word)); }
__device__ float polynomial_sine(unsigned word) { return rng::scaled_half_direction(1, word).sine; }
__device__ float polynomial_cosine(unsigned word) { return rng::scaled_half_direction(1, word).cosine; }

__device__ float inverse_cdf(unsigned word) { return rng::inverse_cdf(word); }

__device__ double tail_of_scaled_radius(double r, double level) {
    return tail_of_radius(1.17741002251547469101 * r, level);
}

}  // namespace

Exhausted exhaust_xu_box_muller() {
    const WordSums radius = words_summed<xu_radius, tail_of_radius>();
    return of_two_words(radius, radius, words_summed<xu_sine, tail_of_normal>(),
                        words_summed<xu_cosine, tail_of_normal>());
}

Exhausted exhaust_polynomial_box_muller() {
    return of_two_words(words_summed<polynomial_radius, tail_of_scaled_radius>(),
                        words_summed<polynomial_cosine_radius, tail_of_normal>(),
                        words_summed<polynomial_sine, tail_of_normal>(),
                        words_summed<polynomial_cosine, tail_of_normal>());
}

Exhausted exhaust_inverse_cdf() { return of_one_word(words_summed<inverse_cdf, tail_of_normal>()); }

}  // namespace normals
