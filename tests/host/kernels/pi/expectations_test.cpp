// The exact hit probabilities that versions are judged by are those that quality/exact_counts counts.
#include "kernels/pi/shared/expectations.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/pi/versions.hpp"
#include "quality/exact_counts.hpp"

namespace {

using quality::Axis;

class ExactCounts : public testing::TestWithParam<quality::ExactCount> {};

TEST_P(ExactCounts, AreStored) { EXPECT_EQ(GetParam().stored.count, GetParam().count()); }

std::string name_of(const testing::TestParamInfo<quality::ExactCount>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Expectation, ExactCounts, testing::ValuesIn(quality::exact_counts()), name_of);

TEST(ExactCounts, AreOutOfAllOutcomes) {
    const std::map<std::string, double> totals = {{"curand_uniform_pairs", 0x1p64},
                                                  {"unit_interval_pairs", 0x1p64},
                                                  {"mrg32k3a_pairs", 18446742278413265569.0},  // 4294967087^2
                                                  {"mantissa_pairs", 0x1p46},
                                                  {"pairs_of_8_bits", 0x1p16},
                                                  {"folded_pairs", 0x1p64},
                                                  {"folded_octant_pairs", 0x1p64},
                                                  {"offset_cells", 0x1p30},
                                                  {"odd_pairs", 0x1p20},
                                                  {"lcg_folded_cycle", 0x1p32},
                                                  {"lcg_cycle", 0x1p32},
                                                  {"lcg_mantissa_cycle", 0x1p32},
                                                  {"xorshift32_cycle", 0x1p32 - 1},
                                                  {"lcg_centred_mantissa_cycle", 0x1p32},
                                                  {"xorshift32_mantissa_cycle", 0x1p32 - 1}};
    for (const quality::ExactCount& exact : quality::exact_counts()) {
        EXPECT_EQ(exact.stored.total, totals.at(exact.name)) << exact.name;
    }
}

// The cycle of xorshift32 has all words but 0, as the counts assume: from 1 it returns to 1 after 2^32 - 1 draws.
TEST(ExactCounts, XorshiftWalksAllWordsButZero) {
    std::uint64_t draws = 0;
    std::uint32_t s = 1;
    do {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        draws++;
    } while (s != 1);
    EXPECT_EQ(draws, 0xffffffffu);
}

// Odd steps make words of which the conversion to float must round.
TEST(PairSweep, AgreesWithBruteForceOnSmallGrids) {
    constexpr std::uint64_t all_words = std::uint64_t{1} << 32;
    for (const float offset : {0.0f, 0x1p-33f}) {
        for (const Axis axis :
             {Axis{8, all_words / 8, offset}, Axis{1024, all_words / 1024, offset}, Axis{1021, 4206627, offset},
              Axis{5000, 858993, offset}, Axis{4000, 3, offset, 1}, Axis{1000, 1, offset}}) {
            std::uint64_t hits = 0;
            for (std::uint64_t row = 0; row < axis.size; row++) {
                for (std::uint64_t column = 0; column < axis.size; column++) {
                    hits += quality::inside(coordinate(axis, row), coordinate(axis, column)) ? 1 : 0;
                }
            }
            EXPECT_EQ(quality::hits_of_pairs(axis), hits) << axis.size << " words, " << axis.step << " apart";
        }
    }
}

// Closer together than any test run could tell apart.
TEST(Expectations, VersionsAreJudgedByThatOfTheirSource) {
    const std::map<std::string, bench::Expectation> own = {
        {"xorwow", pi::curand_uniform_pairs},
        {"philox", pi::curand_uniform_pairs},
        {"philox_mantissa", pi::mantissa_pairs},
        {"xorshift32", pi::xorshift32_cycle},
        {"xorshift32_mantissa", pi::xorshift32_mantissa_cycle},
        {"lcg", pi::lcg_cycle},
        {"lcg_two_families", pi::unit_interval_pairs},
        {"lcg_one_family", pi::unit_interval_pairs},
        {"lcg_mantissa", pi::lcg_mantissa_cycle},
        {"lcg_mantissa_centred", pi::lcg_centred_mantissa_cycle},
        {"lcg_folded", pi::lcg_folded_cycle},
        {"mrg", pi::folded_pairs},
        {"philox7", pi::folded_pairs},
        {"mwc64x", pi::folded_pairs},
        {"xor_mrg", pi::folded_pairs},
        {"hybrid_tausworthe", pi::folded_pairs},
        {"folded_mrg", pi::folded_pairs},
        {"bit_sliced", pi::folded_pairs},
        {"dot_sliced", pi::folded_pairs},
        {"octant_sliced", pi::folded_pairs},
        {"deep_octant_sliced", pi::folded_pairs},
        {"alternating_sliced", pi::folded_pairs},
        {"first_bit_sliced", pi::folded_pairs},
        {"two_bit_halving", pi::folded_octant_pairs},
        {"three_bit_halving", pi::folded_octant_pairs},
        {"shifted_halving", pi::folded_octant_pairs},
        {"seven_bit_halving", pi::folded_octant_pairs},
        {"three_dots_halving", pi::folded_octant_pairs},
        {"octant_folded_mrg", pi::folded_pairs},
        {"tensor_words", pi::folded_pairs},
        {"half_cells", pi::offset_cells},
        {"tensor_pairs", pi::odd_pairs},
        {"sobol", pi::folded_pairs},
        {"none", {1, 1}},
    };
    for (const auto* kind : {&pi::versions(), &pi::ablations()}) {
        for (const bench::Step* version : *kind) {
            const bench::Source& source = bench::source_of(*version);
            const auto entry = own.find(source.name);
            ASSERT_NE(entry, own.end()) << source.name << ", of " << version->name << ", has no expectation here";
            EXPECT_EQ(source.expected.count, entry->second.count) << version->name;
            EXPECT_EQ(source.expected.total, entry->second.total) << version->name;
        }
    }
}

}  // namespace
