#include "kernels/pi/shared/bit_sliced_replay.hpp"
#include "kernels/pi/shared/bit_sliced_streams.hpp"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/half_cells_replay.hpp"
#include "kernels/pi/shared/halving_replay.hpp"
#include "kernels/pi/shared/make_source.cuh"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/shared/tensor_pairs_replay.hpp"
#include "kernels/pi/shared/tensor_words.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/lane_draws.cuh"
#include "kernels/random/sobol.cuh"

namespace pi::sources {

using bench::Soundness;
using bench::Source;
using bit_sliced::Levels;
using pairs::Loops;

namespace {

std::uint64_t hits_of(const rng::SobolStretch& stretch, const rng::SobolPoint& shift) {
    std::uint64_t hits = 0;
    for (unsigned i = 0; i < stretch.points; i++) {
        const rng::SobolPoint point = rng::sobol_point(stretch.first + i) ^ shift;
        hits += folded_hit(point.x, point.y);
    }
    return hits;
}

std::uint64_t replay_sobol(const bench::StreamId& id, unsigned iters) {
    const rng::SobolPoint shift = rng::sobol_shift(id.seed, id.launch);
    return hits_of(rng::sobol_groups_of(id.thread, iters), shift) +
           hits_of(rng::sobol_rest_of(id.thread, id.threads, iters), shift);
}

constexpr rng::Generator folded_mrg_generator = rng::FoldedMrgDraws::generator;
constexpr double folded_mrg_samples = folded_mrg_generator.log2_cycle - 1;  // of two draws

/// Samples of bit planes. On average one takes 9.8 bits of a lane, or 8.3 with pieces of the octant.
template <typename Draws>
constexpr Source bit_planes_source(const char* name) {
    return {.name = name,
            .generator = Draws::generator.name,
            .soundness = Soundness::sound_in_bit_planes,
            .expected = folded_pairs,
            .log2_cycle_samples = Draws::generator.log2_cycle - 1,
            .bit_planes = true,
            .lagged = true,
            .words = words_of<Draws>,
            .coordinate = to_unit_interval,
            .hit = folded_hit_of_words};
}

/// `levels`: those of the same words and grid.
template <typename Draws, HitsOfStreams Levels::*levels, const Grid& grid = square>
constexpr Source bit_sliced_source(const char* name) {
    Source source = bit_planes_source<Draws>(name);
    source.replay = replay_bit_sliced<Draws, grid>;
    source.replay_streams = bit_sliced::replay_streams<Draws, levels>;
    return source;
}

/// Words in bit planes whose samples make no pairs of whole words. The tests of quality/ have the words under another name.
template <typename Draws>
constexpr Source bits_source(const char* name) {
    Source source = bit_planes_source<Draws>(name);
    source.coordinate = nullptr;
    source.hit = nullptr;
    return source;
}

/// v24. Its first level draws bit by bit.
constexpr Source first_bit_source(const char* name) {
    Source source = bits_source<rng::AlternatingMrgDraws>(name);
    source.replay = replay_first_bits;
    source.replay_streams = bit_sliced::replay_streams<rng::AlternatingMrgDraws, &Levels::first_bits>;
    return source;
}

/// v25 to v27 and their ablations. `walk`: that of the same words and tree.
template <typename Draws, const auto& tree, halving::HitsOfWarp halving::Walks::*walk>
constexpr Source halving_source(const char* name) {
    Source source = bits_source<Draws>(name);
    source.expected = folded_octant_pairs;
    source.replay = halving::replay_warp<Draws, tree>;
    source.replay_streams = halving::replay_streams<Draws, walk>;
    source.together = halving::Warp::lanes;
    return source;
}

/// The same words in single lanes, for the tests of quality/. There a sample takes 64 bits of a lane.
template <typename Draws>
constexpr Source lanes_source(const char* name) {
    Source source = bit_planes_source<Draws>(name);
    source.log2_cycle_samples -= 5;
    source.replay = replay<rng::LaneDraws<Draws, 32>, folded_hit_of_words>;
    return source;
}

}  // namespace

const Source xorwow = make_source<rng::XorwowDraws, to_curand_uniform, &Loops::xorwow>(
    "xorwow", Soundness::sound_in_24_bits, curand_uniform_pairs);

const Source philox =
    make_source<rng::PhiloxDraws, to_curand_uniform, &Loops::philox>("philox", Soundness::sound, curand_uniform_pairs);

const Source xorshift32 = make_source<rng::Xorshift32Draws, to_unit_interval, &Loops::xorshift32>(
    "xorshift32", Soundness::demonstration, xorshift32_cycle);

const Source lcg =
    make_source<rng::LcgDraws, to_unit_interval, &Loops::lcg>("lcg", Soundness::demonstration, lcg_cycle);

// x and y each have their own cycle.
const Source lcg_two_families =
    make_source<rng::FourLcgDraws<rng::lcg, rng::lcg_glibc>, to_unit_interval, &Loops::lcg_two_families>(
        "lcg_two_families", Soundness::demonstration, unit_interval_pairs,
        {"LCG 1664525 for x, LCG 1103515245 for y", 33});

const Source lcg_mantissa = make_source<rng::LcgDraws, upper_23_bits, &Loops::lcg_mantissa>(
    "lcg_mantissa", Soundness::demonstration, lcg_mantissa_cycle);

const Source philox_mantissa = make_source<rng::PhiloxDraws, upper_23_bits, &Loops::philox_mantissa>(
    "philox_mantissa", Soundness::sound, mantissa_pairs);

const Source lcg_folded =
    make_folded_source<rng::LcgDraws, &Loops::lcg_folded>("lcg_folded", Soundness::demonstration, lcg_folded_cycle);

const Source mrg =
    make_folded_source<rng::MrgDraws, &Loops::mrg>("mrg", Soundness::sound_in_24_bits_but_parity, folded_pairs);

const Source philox7 =
    make_folded_source<rng::Philox7Draws, &Loops::philox7>("philox7", Soundness::sound, folded_pairs);

const Source mwc64x = make_folded_source<rng::Mwc64xDraws>("mwc64x", Soundness::sound, folded_pairs);

const Source xor_mrg =
    make_folded_source<rng::XorMrgDraws, &Loops::xor_mrg>("xor_mrg", Soundness::sound_in_24_bits, folded_pairs);

// Bits 8 to 12 of a word are linear, as the lower ones are: the bits of an LCG added to shift registers.
const Source hybrid_tausworthe =
    make_folded_source<rng::HybridTauswortheDraws>("hybrid_tausworthe", Soundness::demonstration, folded_pairs);

const Source folded_mrg =
    make_folded_source<rng::FoldedMrgDraws, &Loops::folded_mrg>("folded_mrg", Soundness::demonstration, folded_pairs);

constexpr Source bit_sliced = bit_sliced_source<rng::FoldedMrgDraws, &Levels::folded_square>("bit_sliced");
constexpr Source folded_mrg_lanes = lanes_source<rng::FoldedMrgDraws>("folded_mrg_lanes");
constexpr Source dot_sliced = bit_sliced_source<rng::DotMrgDraws, &Levels::dot_square>("dot_sliced");
constexpr Source octant_sliced = bit_sliced_source<rng::DotMrgDraws, &Levels::dot_octant, octant>("octant_sliced");
constexpr Source deep_octant_sliced =
    bit_sliced_source<rng::DotMrgDraws, &Levels::dot_deep_octant, deep_octant>("deep_octant_sliced");
constexpr Source alternating_sliced =
    bit_sliced_source<rng::AlternatingMrgDraws, &Levels::alternating_deep_octant, deep_octant>("alternating_sliced");
constexpr Source first_bit_sliced = first_bit_source("first_bit_sliced");
constexpr Source two_bit_halving =
    halving_source<rng::AlternatingMrgDraws, two_bit_tree, &halving::Walks::two_bits>("two_bit_halving");
constexpr Source three_bit_halving =
    halving_source<rng::AlternatingMrgDraws, three_bit_tree, &halving::Walks::three_bits>("three_bit_halving");
constexpr Source shifted_halving =
    halving_source<rng::ShiftedMrgDraws, three_bit_tree, &halving::Walks::shifted>("shifted_halving");
constexpr Source seven_bit_halving =
    halving_source<rng::ShiftedMrgDraws, seven_bit_tree, &halving::Walks::seven_bits>("seven_bit_halving");
constexpr Source three_dots_halving = [] {
    Source source =
        halving_source<rng::ThreeDotsMrgDraws, three_bit_tree, &halving::Walks::three_dots>("three_dots_halving");
    source.soundness = Soundness::not_tested;
    return source;
}();
constexpr Source alternating_mrg_lanes = lanes_source<rng::AlternatingMrgDraws>("alternating_mrg_lanes");
constexpr Source shifted_sliced = [] {
    Source source = bit_planes_source<rng::ShiftedMrgDraws>("shifted_sliced");
    source.replay = replay_bit_sliced<rng::ShiftedMrgDraws, deep_octant>;
    return source;
}();
constexpr Source shifted_mrg_lanes = lanes_source<rng::ShiftedMrgDraws>("shifted_mrg_lanes");
constexpr Source octant_folded_mrg =
    bit_sliced_source<rng::FoldedMrgDraws, &Levels::folded_octant, octant>("octant_folded_mrg");
constexpr Source dot_mrg_lanes = lanes_source<rng::DotMrgDraws>("dot_mrg_lanes");

// Coordinates are fields of a word: v16 takes half a word per sample, and v16t 3/32 of a word. The tests of quality/ know
// only whole words and bit planes, so they do not cover this use.
const Source half_cells = {
    .name = "half_cells",
    .generator = folded_mrg_generator.name,
    .soundness = Soundness::not_tested,
    .expected = offset_cells,
    .log2_cycle_samples = folded_mrg_samples + 2,
    .lagged = true,
    .words = words_of<rng::FoldedMrgDraws>,
    .replay = replay_half_cells,
};

const Source tensor_pairs = {
    .name = "tensor_pairs",
    .generator = folded_mrg_generator.name,
    .soundness = Soundness::not_tested,
    .expected = odd_pairs,
    .log2_cycle_samples = folded_mrg_samples + 4,
    .lagged = true,
    .words = words_of<rng::FoldedMrgDraws>,
    .replay = replay_tensor_pairs,
};

// The words of a thread depend on those of its warp.
const Source tensor_words = {
    .name = "tensor_words",
    .generator = tensor_words_generator.name,
    .soundness = Soundness::not_tested,
    .expected = folded_pairs,
    .log2_cycle_samples = tensor_words_generator.log2_cycle - 1,
    .lagged = true,
    .replay = replay_tensor_words,
};

// It has no stream of words: the points of a thread depend on the whole launch.
const Source sobol = {
    .name = "sobol",
    .generator = "Sobol, dimensions 1 and 2, shifted",
    .soundness = Soundness::quasi_random,
    .expected = folded_pairs,
    .log2_cycle_samples = 32,  // every point of the set
    .coordinate = to_unit_interval,
    .hit = folded_hit_of_words,
    .replay = replay_sobol,
};

const Source lcg_one_family =
    make_source<rng::FourLcgDraws<rng::lcg, rng::lcg>, to_unit_interval, &Loops::lcg_one_family>(
        "lcg_one_family", Soundness::demonstration, unit_interval_pairs, {rng::LcgDraws::generator.name, 33});

const Source lcg_mantissa_centred = make_source<rng::LcgDraws, upper_23_bits_centred, &Loops::lcg_mantissa_centred>(
    "lcg_mantissa_centred", Soundness::demonstration, lcg_centred_mantissa_cycle);

const Source xorshift32_mantissa = make_source<rng::Xorshift32Draws, upper_23_bits, &Loops::xorshift32_mantissa>(
    "xorshift32_mantissa", Soundness::demonstration, xorshift32_mantissa_cycle);

}  // namespace pi::sources
