#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/make_source.cuh"
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

/// Hits among the 256 x 256 points (i / 256, j / 256).
constexpr bench::Expectation pairs_of_8_bits{51720, 65536};

/// A source of bit planes. Its streams are the lanes, with a cycle of 2^degree - 1 bits. A sample takes 16 bits of a lane.
template <unsigned degree, unsigned tap>
Source make_sliced_source(const char* name, const char* generator) {
    using Planes = TrinomialDraws<degree, tap>;
    Source source = make_source<rng::LaneDraws<Planes, bits_of_a_coordinate>, to_unit_interval>(
        name, Soundness::demonstration, pairs_of_8_bits, {generator, degree - 3});
    source.bit_planes = true;
    source.words = pi::words_of<Planes>;
    return source;
}

}  // namespace

// Its cycle counts as one sample.
const Source constant = make_source<ConstantDraws, to_unit_interval>(
    "constant", Soundness::demonstration, unit_interval_pairs, {"control: the same word for ever", 1});

const Source counter = make_source<CounterDraws, to_unit_interval>(
    "counter", Soundness::demonstration, unit_interval_pairs, {"control: thread t counts up from t", 32});

const Source philox_stuck_bit = make_source<StuckBitDraws, to_curand_uniform>(
    "philox_stuck_bit", Soundness::demonstration, curand_uniform_pairs, {"control: Philox, bit 5 always set", 130});

const Source xorshift32_consecutive = make_source<ConsecutiveSeedDraws<rng::xorshift32>, to_unit_interval>(
    "xorshift32_consecutive", Soundness::demonstration, xorshift32_cycle,
    {"xorshift32 seeded with base + thread id", 32});

const Source lcg_consecutive = make_source<ConsecutiveSeedDraws<rng::lcg>, to_unit_interval>(
    "lcg_consecutive", Soundness::demonstration, lcg_cycle, {"LCG 1664525 seeded with base + thread id", 32});

const Source trinomial_63_1 = make_sliced_source<63, 1>("trinomial_63_1", "bit-sliced LFSR, x^63 + x + 1");

const Source trinomial_31_3 = make_sliced_source<31, 3>("trinomial_31_3", "bit-sliced LFSR, x^31 + x^3 + 1");

}  // namespace quality::specimens
