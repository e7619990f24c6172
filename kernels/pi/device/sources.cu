#include "kernels/pi/device/bit_sliced_replay.hpp"
#include "kernels/pi/device/coordinate.cuh"
#include "kernels/pi/device/expectations.hpp"
#include "kernels/pi/device/half_cells_replay.hpp"
#include "kernels/pi/device/make_source.cuh"
#include "kernels/pi/device/sources.hpp"
#include "kernels/pi/device/tensor_pairs_replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/lane_draws.cuh"
#include "kernels/random/sobol.cuh"

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

// MRGs: kernels/random/mrg.cuh. MWC64X: kernels/random/mwc64x.cuh.
constexpr double mrg_samples = 61;         // (2^31 - 1) 2^31 draws
constexpr double xor_mrg_samples = 30;     // at least
constexpr double folded_mrg_samples = 41;  // at least (2^11 - 1) 2^31 draws
constexpr double mwc64x_samples = 62;

constexpr const char* mrg_name = "MRG 31, 13 modulo 2^32";
constexpr const char* folded_mrg_name = "MRG 11, 2 in 64 bits, halves added";
constexpr const char* lcg_name = "LCG 1664525, 1013904223";
constexpr const char* xorshift32_name = "xorshift32 (13, 17, 5)";

constexpr double sobol_samples = 32;  // every point of the set

std::uint64_t hits_of(const SobolStretch& stretch, const SobolPoint& shift) {
    std::uint64_t hits = 0;
    for (unsigned i = 0; i < stretch.points; i++) {
        const SobolPoint point = sobol_point(stretch.first + i) ^ shift;
        hits += folded_hit(point.x, point.y);
    }
    return hits;
}

std::uint64_t replay_sobol(const bench::StreamId& id, unsigned iters) {
    const SobolPoint shift = sobol_shift(id.seed, id.launch);
    return hits_of(sobol_groups_of(id.thread, iters), shift) +
           hits_of(sobol_rest_of(id.thread, id.threads, iters), shift);
}

/// The same, of a generator whose words lag behind each other.
Source lagged(Source source) {
    source.lagged = true;
    return source;
}

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

const Source lcg_folded = make_folded_source<LcgDraws>("lcg_folded", lcg_name, Soundness::demonstration,
                                                       lcg_folded_cycle, samples_of_32_bits);

const Source mrg =
    lagged(make_folded_source<MrgDraws>("mrg", mrg_name, Soundness::sound_in_24_bits, folded_pairs, mrg_samples));

const Source philox7 =
    make_folded_source<Philox7Draws>("philox7", "Philox4x32-7", Soundness::sound, folded_pairs, philox_samples);

const Source mwc64x =
    make_folded_source<Mwc64xDraws>("mwc64x", "MWC64X", Soundness::sound, folded_pairs, mwc64x_samples);

const Source xor_mrg = lagged(make_folded_source<XorMrgDraws>(
    "xor_mrg", "MRG 31 modulo 2^32, exclusive or of 3", Soundness::sound_in_24_bits, folded_pairs, xor_mrg_samples));

const Source folded_mrg = lagged(make_folded_source<FoldedMrgDraws>(
    "folded_mrg", folded_mrg_name, Soundness::demonstration, folded_pairs, folded_mrg_samples));

// A sample takes 9.8 bits of a lane on average, one of the lanes' own tests 64.
const Source bit_sliced = {
    .name = "bit_sliced",
    .generator = folded_mrg_name,
    .soundness = Soundness::sound_in_bit_planes,
    .expected = folded_pairs,
    .log2_cycle_samples = folded_mrg_samples,
    .bit_planes = true,
    .lagged = true,
    .words = words_of<FoldedMrgDraws>,
    .coordinate = to_unit_interval,
    .hit = folded_hit_of_words,
    .replay = replay_bit_sliced,
};

const Source folded_mrg_lanes = {
    .name = "folded_mrg_lanes",
    .generator = folded_mrg_name,
    .soundness = Soundness::sound_in_bit_planes,
    .expected = folded_pairs,
    .log2_cycle_samples = folded_mrg_samples - 5,
    .bit_planes = true,
    .lagged = true,
    .words = words_of<FoldedMrgDraws>,
    .coordinate = to_unit_interval,
    .hit = folded_hit_of_words,
    .replay = replay<LaneDraws<FoldedMrgDraws, 32>, folded_hit_of_words>,
};

// Fields of a word are coordinates: v16 takes half a word a sample and v16t 3/32 of one. The tests of quality/ know whole
// words and bit planes only, and say nothing of that use.
const Source half_cells = {
    .name = "half_cells",
    .generator = folded_mrg_name,
    .soundness = Soundness::not_tested,
    .expected = offset_cells,
    .log2_cycle_samples = folded_mrg_samples + 2,
    .lagged = true,
    .words = words_of<FoldedMrgDraws>,
    .replay = replay_half_cells,
};

const Source tensor_pairs = {
    .name = "tensor_pairs",
    .generator = folded_mrg_name,
    .soundness = Soundness::not_tested,
    .expected = odd_pairs,
    .log2_cycle_samples = folded_mrg_samples + 4,
    .lagged = true,
    .words = words_of<FoldedMrgDraws>,
    .replay = replay_tensor_pairs,
};

// No stream of words: a thread's are given by the whole launch.
const Source sobol = {
    .name = "sobol",
    .generator = "Sobol, dimensions 1 and 2, shifted",
    .soundness = Soundness::quasi_random,
    .expected = folded_pairs,
    .log2_cycle_samples = sobol_samples,
    .coordinate = to_unit_interval,
    .hit = folded_hit_of_words,
    .replay = replay_sobol,
};

const Source lcg_one_family = make_source<FourLcgDraws<pi::lcg, pi::lcg>, to_unit_interval>(
    "lcg_one_family", lcg_name, Soundness::demonstration, unit_interval_pairs, samples_of_two_32_bits);

const Source lcg_mantissa_centred = make_source<LcgDraws, upper_23_bits_centred>(
    "lcg_mantissa_centred", lcg_name, Soundness::demonstration, lcg_centred_mantissa_cycle, samples_of_32_bits);

const Source xorshift32_mantissa = make_source<Xorshift32Draws, upper_23_bits>(
    "xorshift32_mantissa", xorshift32_name, Soundness::demonstration, xorshift32_mantissa_cycle, samples_of_32_bits);

}  // namespace pi::sources
