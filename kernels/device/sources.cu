#include "kernels/device/coordinate.cuh"
#include "kernels/device/draws.cuh"
#include "kernels/device/expectations.hpp"
#include "kernels/device/make_source.cuh"
#include "kernels/device/sources.hpp"

namespace pi::sources {

using bench::Soundness;
using bench::Source;

namespace {

// Cycles, in samples of two draws. XORWOW: (2^160 - 1) 2^32 draws, Marsaglia, "Xorshift RNGs", section 4. Philox: 2^128
// counters of four draws, Salmon et al., section 4.3. One of 32 bits: 2^32 draws (Knuth, The Art of Computer
// Programming 2, section 3.2.1.2, theorem A) or, xorshift, 2^32 - 1.
constexpr double xorwow_samples = 191;
constexpr double philox_samples = 129;
constexpr double samples_of_32_bits = 31;
constexpr double samples_of_two_32_bits = 32;  // x and y each have a cycle of their own

constexpr const char* lcg_name = "LCG 1664525, 1013904223";
constexpr const char* xorshift32_name = "xorshift32 (13, 17, 5)";

}  // namespace

const Source xorwow = make_source<XorwowDraws, to_curand_uniform>(
    "xorwow", "cuRAND XORWOW", Soundness::sound_in_24_bits, curand_uniform_pairs, xorwow_samples);

const Source philox = make_source<PhiloxDraws, to_curand_uniform>("philox", "cuRAND Philox4_32_10", Soundness::sound,
                                                                  curand_uniform_pairs, philox_samples);

const Source xorshift32 = make_source<Xorshift32Draws, to_unit_interval>(
    "xorshift32", xorshift32_name, Soundness::demonstration, xorshift32_cycle, samples_of_32_bits);

const Source lcg =
    make_source<LcgDraws, to_unit_interval>("lcg", lcg_name, Soundness::demonstration, lcg_cycle, samples_of_32_bits);

const Source lcg_two_families = make_source<FourLcgDraws<pi::lcg, lcg_glibc>, to_unit_interval>(
    "lcg_two_families", "LCG 1664525 for x, LCG 1103515245 for y", Soundness::demonstration, unit_interval_pairs,
    samples_of_two_32_bits);

const Source lcg_mantissa = make_source<LcgDraws, upper_23_bits>("lcg_mantissa", lcg_name, Soundness::demonstration,
                                                                 lcg_mantissa_cycle, samples_of_32_bits);

const Source philox_mantissa = make_source<PhiloxDraws, upper_23_bits>(
    "philox_mantissa", "cuRAND Philox4_32_10", Soundness::sound, mantissa_pairs, philox_samples);

const Source lcg_one_family = make_source<FourLcgDraws<pi::lcg, pi::lcg>, to_unit_interval>(
    "lcg_one_family", lcg_name, Soundness::demonstration, unit_interval_pairs, samples_of_two_32_bits);

const Source lcg_mantissa_centred = make_source<LcgDraws, upper_23_bits_centred>(
    "lcg_mantissa_centred", lcg_name, Soundness::demonstration, lcg_centred_mantissa_cycle, samples_of_32_bits);

const Source xorshift32_mantissa = make_source<Xorshift32Draws, upper_23_bits>(
    "xorshift32_mantissa", xorshift32_name, Soundness::demonstration, xorshift32_mantissa_cycle, samples_of_32_bits);

}  // namespace pi::sources
