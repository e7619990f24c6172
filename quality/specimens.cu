#include "kernels/pi/device/coordinate.cuh"
#include "kernels/pi/device/expectations.hpp"
#include "kernels/pi/device/make_source.cuh"
#include "kernels/random/lane_draws.cuh"
#include "quality/specimens.cuh"
#include "quality/specimens.hpp"

namespace quality::specimens {

using bench::Soundness;
using bench::Source;
using pi::curand_uniform_pairs;
using pi::lcg_cycle;
using pi::make_source;
using pi::to_curand_uniform;
using pi::to_unit_interval;
using pi::unit_interval_pairs;
using pi::xorshift32_cycle;

namespace {

/// Points of the grid of 256 x 256, from 0 in steps of 1/256, that hit.
constexpr bench::Expectation pairs_of_8_bits{51720, 65536};

/// A source of bit planes, whose streams are its lanes.
template <typename Planes>
Source make_sliced_source(const char* name, const char* generator, double log2_cycle_samples) {
    Source source = make_source<pi::LaneDraws<Planes, bits_of_a_coordinate>, to_unit_interval>(
        name, generator, Soundness::demonstration, pairs_of_8_bits, log2_cycle_samples);
    source.bit_planes = true;
    source.words = pi::words_of<Planes>;
    return source;
}

}  // namespace

const Source constant = make_source<ConstantDraws, to_unit_interval>("constant", "control: one word for ever",
                                                                     Soundness::demonstration, unit_interval_pairs, 0);

const Source counter = make_source<CounterDraws, to_unit_interval>("counter", "control: thread t counts up from t",
                                                                   Soundness::demonstration, unit_interval_pairs, 31);

const Source philox_stuck_bit = make_source<StuckBitDraws, to_curand_uniform>(
    "philox_stuck_bit", "control: Philox, bit 5 always set", Soundness::demonstration, curand_uniform_pairs, 129);

const Source xorshift32_consecutive = make_source<ConsecutiveSeedDraws<pi::xorshift32>, to_unit_interval>(
    "xorshift32_consecutive", "xorshift32 seeded with base + thread id", Soundness::demonstration, xorshift32_cycle,
    31);

const Source lcg_consecutive = make_source<ConsecutiveSeedDraws<pi::lcg>, to_unit_interval>(
    "lcg_consecutive", "LCG 1664525 seeded with base + thread id", Soundness::demonstration, lcg_cycle, 31);

// A sample takes 16 bits of a lane, whose period is 2^degree - 1.
const Source trinomial_63_1 =
    make_sliced_source<TrinomialDraws<63, 1>>("trinomial_63_1", "bit-sliced LFSR, x^63 + x + 1", 63 - 4);

const Source trinomial_31_3 =
    make_sliced_source<TrinomialDraws<31, 3>>("trinomial_31_3", "bit-sliced LFSR, x^31 + x^3 + 1", 31 - 4);

}  // namespace quality::specimens
