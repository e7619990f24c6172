// The replays of many streams at once, by each instruction set of this machine, hit as the replays of single streams do.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/pi/shared/cpu_levels.hpp"
#include "kernels/pi/shared/cpu_pairs.hpp"
#include "kernels/pi/shared/halving_replay.hpp"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/draws.cuh"

namespace {

using bench::StreamId;
using pi::bit_sliced::Levels;
using pi::pairs::Loops;
namespace sources = pi::sources;

constexpr std::uint64_t threads = 270'336;  // of a launch

struct Code {
    std::string isa;
    std::function<std::uint64_t(const StreamId& first, unsigned streams, unsigned iters)> hits;
};

struct Replay {
    const bench::Source* source;
    std::vector<Code> codes;  // of each instruction set
};

template <typename Draws, auto loop, typename Clones>
Replay replay_of(const bench::Source& source, const Clones& clones) {
    Replay replay = {&source, {{"the source's own", source.replay_streams}}};
    for (const auto& clone : clones) {
        replay.codes.push_back({clone.isa, [&clone](const StreamId& first, unsigned streams, unsigned iters) {
                                    return hits_of_streams(pi::seed<Draws>, clone.made.*loop, first, streams, iters);
                                }});
    }
    return replay;
}

template <typename Draws, auto levels>
Replay bit_sliced(const bench::Source& source) {
    return replay_of<Draws, levels>(source, pi::bit_sliced::clones());
}

template <typename Draws, auto loop>
Replay pairs(const bench::Source& source) {
    return replay_of<Draws, loop>(source, pi::pairs::clones());
}

template <typename Draws, auto walk>
Replay halving(const bench::Source& source) {
    Replay replay = {&source, {{"the source's own", source.replay_streams}}};
    for (const auto& clone : pi::halving::clones()) {
        replay.codes.push_back({clone.isa, [&clone](const StreamId& first, unsigned streams, unsigned iters) {
                                    return pi::halving::hits_of_warps<Draws>(clone.made.*walk, first, streams, iters);
                                }});
    }
    return replay;
}

class ReplayStreams : public testing::TestWithParam<Replay> {
 protected:
    void expect_replay(const StreamId& first, unsigned streams, unsigned iters) const {
        std::uint64_t hits = 0;
        for (StreamId id = first; id.thread < first.thread + streams; id.thread++) {
            hits += GetParam().source->replay(id, iters);
        }
        for (const Code& code : GetParam().codes) {
            EXPECT_EQ(code.hits(first, streams, iters), hits)
                << streams << " streams of " << iters << " samples: " << code.isa;
        }
    }
};

// Loops take up to 31 pairs at once. Of bit planes a group is 32 samples, and a level's first loop takes 2 to 20 groups.
TEST_P(ReplayStreams, HitAsSingleStreams) {
    for (const unsigned iters : {0u, 1u, 31u, 32u, 33u, 127u, 640u, 1'001u, 3'000u}) {
        for (const unsigned streams : {1u, 5u, 16u, 37u}) {
            expect_replay({1234, 0, threads, 0}, streams, iters);
            expect_replay({0xdeadbeefcafef00d, std::uint64_t{1} << 40, threads, threads - streams}, streams, iters);
        }
    }
}

using LongReplayStreams = ReplayStreams;

// 200,000 samples of a stream are more than 640 at level 10, which its first loop takes at once.
TEST_P(LongReplayStreams, HitAsSingleStreams) {
    for (const unsigned iters : {200'000u, 211'777u}) {
        expect_replay({1, 7, threads, 511}, 1, iters);
        expect_replay({2, 3, threads, 1024}, 17, iters);
    }
}

std::string name_of(const testing::TestParamInfo<Replay>& info) { return info.param.source->name; }

auto of_bit_planes() {
    return testing::Values(
        bit_sliced<rng::FoldedMrgDraws, &Levels::folded_square>(sources::bit_sliced),
        bit_sliced<rng::FoldedMrgDraws, &Levels::folded_octant>(sources::octant_folded_mrg),
        bit_sliced<rng::DotMrgDraws, &Levels::dot_square>(sources::dot_sliced),
        bit_sliced<rng::DotMrgDraws, &Levels::dot_octant>(sources::octant_sliced),
        bit_sliced<rng::DotMrgDraws, &Levels::dot_deep_octant>(sources::deep_octant_sliced),
        bit_sliced<rng::AlternatingMrgDraws, &Levels::alternating_deep_octant>(sources::alternating_sliced),
        bit_sliced<rng::AlternatingMrgDraws, &Levels::first_bits>(sources::first_bit_sliced));
}

INSTANTIATE_TEST_SUITE_P(BitPlanes, ReplayStreams, of_bit_planes(), name_of);
INSTANTIATE_TEST_SUITE_P(BitPlanes, LongReplayStreams, of_bit_planes(), name_of);

// Streams that are not the first of a warp have no hits of their own.
auto of_trees() {
    return testing::Values(
        halving<rng::AlternatingMrgDraws, &pi::halving::Walks::two_bits>(sources::two_bit_halving),
        halving<rng::AlternatingMrgDraws, &pi::halving::Walks::three_bits>(sources::three_bit_halving),
        halving<rng::ShiftedMrgDraws, &pi::halving::Walks::shifted>(sources::shifted_halving),
        halving<rng::ShiftedMrgDraws, &pi::halving::Walks::seven_bits>(sources::seven_bit_halving),
        halving<rng::ThreeDotsMrgDraws, &pi::halving::Walks::three_dots>(sources::three_dots_halving));
}

INSTANTIATE_TEST_SUITE_P(Trees, ReplayStreams, of_trees(), name_of);
INSTANTIATE_TEST_SUITE_P(Trees, LongReplayStreams, of_trees(), name_of);

using TwoFamilies = rng::FourLcgDraws<rng::lcg, rng::lcg_glibc>;
using OneFamily = rng::FourLcgDraws<rng::lcg, rng::lcg>;

INSTANTIATE_TEST_SUITE_P(
    Pairs, ReplayStreams,
    testing::Values(pairs<rng::XorwowDraws, &Loops::xorwow>(sources::xorwow),
                    pairs<rng::PhiloxDraws, &Loops::philox>(sources::philox),
                    pairs<rng::PhiloxDraws, &Loops::philox_mantissa>(sources::philox_mantissa),
                    pairs<rng::Xorshift32Draws, &Loops::xorshift32>(sources::xorshift32),
                    pairs<rng::Xorshift32Draws, &Loops::xorshift32_mantissa>(sources::xorshift32_mantissa),
                    pairs<rng::LcgDraws, &Loops::lcg>(sources::lcg),
                    pairs<rng::LcgDraws, &Loops::lcg_mantissa>(sources::lcg_mantissa),
                    pairs<rng::LcgDraws, &Loops::lcg_mantissa_centred>(sources::lcg_mantissa_centred),
                    pairs<rng::LcgDraws, &Loops::lcg_folded>(sources::lcg_folded),
                    pairs<TwoFamilies, &Loops::lcg_two_families>(sources::lcg_two_families),
                    pairs<OneFamily, &Loops::lcg_one_family>(sources::lcg_one_family),
                    pairs<rng::MrgDraws, &Loops::mrg>(sources::mrg),
                    pairs<rng::FoldedMrgDraws, &Loops::folded_mrg>(sources::folded_mrg),
                    pairs<rng::XorMrgDraws, &Loops::xor_mrg>(sources::xor_mrg),
                    pairs<rng::Philox7Draws, &Loops::philox7>(sources::philox7)),
    name_of);

}  // namespace
