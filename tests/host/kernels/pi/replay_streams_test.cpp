// The replays of many streams at once, by each instruction set of this machine, hit as the replays of single streams do.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kernels/pi/device/bit_sliced_streams.hpp"
#include "kernels/pi/device/sources.hpp"
#include "kernels/random/draws.cuh"

namespace {

using bench::StreamId;
using pi::bit_sliced::Clone;
using pi::bit_sliced::replay_streams_by;

constexpr std::uint64_t threads = 270'336;  // of a launch

struct Replay {
    const bench::Source* source;
    std::uint64_t (*by)(const Clone&, const StreamId& first, unsigned streams, unsigned iters);
};

class ReplayStreams : public testing::TestWithParam<Replay> {
 protected:
    void expect_replay(const StreamId& first, unsigned streams, unsigned iters) const {
        const auto [source, by] = GetParam();
        std::uint64_t hits = 0;
        for (StreamId id = first; id.thread < first.thread + streams; id.thread++) hits += source->replay(id, iters);
        for (const Clone& clone : pi::bit_sliced::clones()) {
            EXPECT_EQ(by(clone, first, streams, iters), hits)
                << streams << " streams of " << iters << " samples with " << clone.isa;
        }
        EXPECT_EQ(source->replay_streams(first, streams, iters), hits);
    }
};

// A group is 32 samples of a stream, and a level's first loop takes 2 to 20 groups at once.
TEST_P(ReplayStreams, HitAsSingleStreams) {
    for (const unsigned iters : {0u, 1u, 31u, 32u, 33u, 127u, 640u, 1'001u, 3'000u}) {
        for (const unsigned streams : {1u, 5u, 16u, 37u}) {
            expect_replay({1234, 0, threads, 0}, streams, iters);
            expect_replay({0xdeadbeefcafef00d, std::uint64_t{1} << 40, threads, threads - streams}, streams, iters);
        }
    }
}

// 200,000 samples of a stream are more than 640 at level 10, which its first loop takes at once.
TEST_P(ReplayStreams, HitAsSingleStreamsWhereEveryLoopRuns) {
    for (const unsigned iters : {200'000u, 211'777u}) {
        expect_replay({1, 7, threads, 511}, 1, iters);
        expect_replay({2, 3, threads, 1024}, 17, iters);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Sources, ReplayStreams,
    testing::Values(Replay{&pi::sources::bit_sliced, replay_streams_by<rng::FoldedMrgDraws, pi::square>},
                    Replay{&pi::sources::octant_folded_mrg, replay_streams_by<rng::FoldedMrgDraws, pi::octant>},
                    Replay{&pi::sources::dot_sliced, replay_streams_by<rng::DotMrgDraws, pi::square>},
                    Replay{&pi::sources::octant_sliced, replay_streams_by<rng::DotMrgDraws, pi::octant>},
                    Replay{&pi::sources::deep_octant_sliced, replay_streams_by<rng::DotMrgDraws, pi::deep_octant>},
                    Replay{&pi::sources::alternating_sliced,
                           replay_streams_by<rng::AlternatingMrgDraws, pi::deep_octant>}),
    [](const auto& info) { return std::string(info.param.source->name); });

}  // namespace
