// Every version's source is in the catalogue, and answers to its names.
#include "quality/catalogue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "bench/errors.hpp"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/pi/versions.hpp"
#include "quality/specimens.hpp"

namespace {

using quality::catalogue;
using quality::Entry;
using quality::source_named;

TEST(Catalogue, HasEachVersionOnceWithItsSource) {
    std::map<std::string, std::vector<const bench::Source*>> found;
    for (const Entry& entry : catalogue()) {
        for (const std::string& version : entry.versions) {
            found[version].push_back(entry.source);
        }
    }
    for (const bench::Step* version : pi::versions()) {
        if (bench::source_of(*version).words && bench::source_of(*version).hit) {
            EXPECT_EQ(found[version->name], std::vector{&bench::source_of(*version)}) << version->name;
        } else if (bench::source_of(*version).bit_planes) {
            EXPECT_EQ(found[version->name], std::vector{&quality::first_with_words_of(bench::source_of(*version))})
                << version->name;
        } else {
            EXPECT_EQ(found.count(version->name), 0u) << version->name;
        }
    }
}

TEST(Catalogue, HasWhateverAVersionCallsSound) {
    for (const bench::Step* version : pi::versions()) {
        const bench::Source& source = bench::source_of(*version);
        switch (source.soundness) {
            case bench::Soundness::sound:
            case bench::Soundness::sound_in_24_bits:
            case bench::Soundness::sound_in_24_bits_but_parity:
            case bench::Soundness::sound_in_bit_planes:
                EXPECT_EQ(&source_named(version->name), source.hit ? &source : &quality::first_with_words_of(source))
                    << "no test knows it";
                EXPECT_EQ(source.bit_planes, source.soundness == bench::Soundness::sound_in_bit_planes)
                    << version->name << ": tested for another use";
                break;
            default:
                break;
        }
    }
}

TEST(Catalogue, GoesInStepOrderThenToTheSpecimens) {
    bool specimens = false;
    std::vector<std::string> firsts, all;
    for (const Entry& entry : catalogue()) {
        EXPECT_FALSE(specimens && !entry.is_specimen()) << entry.source->name;
        specimens = entry.is_specimen();
    }
    ASSERT_TRUE(specimens);
    std::set<const bench::Source*> seen;
    std::vector<const bench::Source*> in_step_order;
    for (const bench::Step* version : pi::versions()) {
        if (bench::source_of(*version).words && bench::source_of(*version).hit &&
            seen.insert(&bench::source_of(*version)).second) {
            in_step_order.push_back(&bench::source_of(*version));
        }
    }
    for (std::size_t i = 0; i < in_step_order.size(); i++) {
        EXPECT_EQ(catalogue()[i].source, in_step_order[i]) << i;
    }
}

TEST(Catalogue, NamesAreUniqueAndResolve) {
    std::set<std::string> names;
    for (const Entry& entry : catalogue()) {
        EXPECT_TRUE(names.insert(entry.source->name).second) << entry.source->name;
        EXPECT_EQ(&source_named(entry.source->name), entry.source);
        for (const std::string& version : entry.versions) {
            EXPECT_TRUE(names.insert(version).second) << version;
            EXPECT_EQ(&source_named(version), entry.source);
        }
    }
}

TEST(Catalogue, RefusesUnknownNames) {
    for (const std::string name : {"", "v0", "V8", "v", "v8 ", "lcg2"}) {
        EXPECT_THROW(source_named(name), bench::UsageError) << name;
    }
    EXPECT_THROW(source_named("v17"), bench::UsageError) << "quasi-random: no words to test";
    EXPECT_EQ(&source_named("v26"), &pi::sources::alternating_sliced) << "v21's words, in bit planes";
    EXPECT_THROW(source_named("v16"), bench::UsageError) << "v15's words, but no pairs of them";
}

TEST(Catalogue, KnowsWhoDrawsTheSameWords) {
    using namespace pi;
    EXPECT_EQ(&quality::first_with_words_of(sources::lcg_mantissa), &sources::lcg);
    EXPECT_EQ(&quality::first_with_words_of(sources::lcg_mantissa_centred), &sources::lcg);
    EXPECT_EQ(&quality::first_with_words_of(sources::philox_mantissa), &sources::philox);
    EXPECT_EQ(&quality::first_with_words_of(sources::lcg_folded), &sources::lcg);
    EXPECT_EQ(&quality::first_with_words_of(sources::folded_mrg), &sources::bit_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::folded_mrg_lanes), &sources::bit_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::octant_sliced), &sources::dot_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::deep_octant_sliced), &sources::dot_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::dot_mrg_lanes), &sources::dot_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::alternating_mrg_lanes), &sources::alternating_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::shifted_mrg_lanes), &sources::shifted_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::half_cells), &sources::bit_sliced);
    EXPECT_EQ(&quality::first_with_words_of(sources::tensor_pairs), &sources::bit_sliced);
    for (const bench::Source* source :
         {&sources::xorwow, &sources::philox, &sources::xorshift32, &sources::lcg, &sources::lcg_two_families,
          &sources::lcg_one_family, &sources::mrg, &sources::bit_sliced, &sources::dot_sliced,
          &sources::alternating_sliced, &sources::shifted_sliced, &sources::philox7, &sources::mwc64x,
          &sources::xor_mrg, &sources::hybrid_tausworthe, &quality::specimens::lcg_consecutive,
          &quality::specimens::trinomial_63_1, &quality::specimens::trinomial_31_3}) {
        EXPECT_EQ(&quality::first_with_words_of(*source), source) << source->name;
    }
}

}  // namespace
