// The tests of quality/ count on the GPU what they count on the CPU.
#include <stdexcept>
#include <vector>

#include "bench/estimands/hits/source.hpp"
#include "quality/catalogue.hpp"
#include "quality/gpu_tests.hpp"
#include "tests/gpu/gpu_fixture.hpp"

using bench::Source;

namespace {

constexpr std::uint64_t seed = 1234;
constexpr unsigned iters = 100;

std::vector<const Source*> all_sources() {
    std::vector<const Source*> sources;
    for (const quality::Entry& entry : quality::catalogue()) {
        sources.push_back(entry.source);
    }
    return sources;
}

TEST(QualityOnGpu, RefusesASourceThatItDoesNotKnow) {
    const Source unknown = quality::source_named("lcg");  // another object
    EXPECT_THROW(quality::hits_per_stream_on_gpu(unknown, {seed, 64}, iters), std::logic_error);
    EXPECT_THROW(quality::count_pairs_on_gpu(unknown, {seed, 64}, 1), std::logic_error);
}

class EverySource : public GpuTest, public testing::WithParamInterface<const Source*> {
 protected:
    const Source& source() const { return *GetParam(); }
};

TEST_P(EverySource, HasTheHitsPerStreamOfTheCpu) {
    for (const std::uint64_t of_seed : {seed, ~std::uint64_t{0}}) {
        const quality::Streams streams = {of_seed, 4096};
        EXPECT_EQ(quality::hits_per_stream_on_gpu(source(), streams, iters),
                  quality::hits_per_stream(source(), streams, iters));
    }
}

// 32 streams leave most of a block idle.
TEST_P(EverySource, HasThePairsOfTheCpu) {
    for (const quality::Streams& streams : {quality::Streams{seed, 256}, {seed, 32}}) {
        const auto counted = quality::count_pairs_on_gpu(source(), streams, 64);
        const auto expected = quality::count_pairs(source(), streams, 64);
        EXPECT_EQ(counted.xy, expected.xy);
        EXPECT_EQ(counted.neighbours, expected.neighbours);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySource, testing::ValuesIn(all_sources()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
