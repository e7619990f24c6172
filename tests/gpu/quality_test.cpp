// The tests of quality/ count on the GPU what they count on the CPU, of the words that the versions' kernels draw.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "bench/errors.hpp"
#include "bench/estimands/hits/source.hpp"
#include "bench/workers/gpu/device.hpp"
#include "kernels/pi/versions.hpp"
#include "quality/catalogue.hpp"
#include "quality/gpu_tests.hpp"
#include "tests/gpu/gpu_fixture.hpp"

using bench::Shape;
using bench::Source;
using bench::Step;

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

class EveryVersionTested : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    /// The first shape that the version accepts.
    Shape shape() const {
        for (const Shape shape : {Shape{8, 64}, {8, 1}, {1, 1}}) {
            try {
                bench::check_shape(*GetParam(), shape.blocks, shape.threads);
                return shape;
            } catch (const bench::UsageError&) {
            }
        }
        throw std::logic_error("no shape for this version");
    }
};

TEST_P(EveryVersionTested, PublishesTheHitsOfItsSourcesStreams) {
    const auto counts = published(*GetParam(), shape(), iters, seed, 0);
    const std::uint64_t threads = bench::total_threads(shape());
    const auto hits = quality::hits_per_stream_on_gpu(bench::source_of(*GetParam()), {seed, threads}, iters);
    ASSERT_EQ(hits.size() % counts.size(), 0u);
    const auto per_count = static_cast<std::ptrdiff_t>(hits.size() / counts.size());
    for (std::size_t i = 0; i < counts.size(); i++) {
        const auto first = hits.begin() + static_cast<std::ptrdiff_t>(i) * per_count;
        EXPECT_EQ(counts[i], std::accumulate(first, first + per_count, std::uint64_t{0})) << "count " << i;
    }
}

/// Versions whose source the tests of quality/ take.
std::vector<const Step*> tested_versions() {
    std::vector<const Step*> tested;
    const std::vector<const Source*> sources = all_sources();
    std::copy_if(pi::versions().begin(), pi::versions().end(), std::back_inserter(tested), [&](const Step* version) {
        return std::find(sources.begin(), sources.end(), &bench::source_of(*version)) != sources.end();
    });
    return tested;
}

INSTANTIATE_TEST_SUITE_P(Ladder, EveryVersionTested, testing::ValuesIn(tested_versions()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
