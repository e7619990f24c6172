// Every version counts on a GPU what tests/data/golden.py counts in numpy, in trips of every level too.
#include <algorithm>
#include <optional>
#include <string>

#include "bench/errors.hpp"
#include "bench/workers/gpu/device.hpp"
#include "kernels/pi/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/host/kernels/pi/golden.hpp"

using bench::Shape;
using bench::Step;

namespace {

/// A grid of so many threads that the version accepts, if there is one: threads have the same streams in any grid.
std::optional<Shape> shape_of(const Step& version, unsigned threads) {
    for (const unsigned of_block : {threads, 1024u, 1u}) {
        try {
            if (threads % of_block != 0) continue;
            return bench::resolve_shape(version, threads / of_block, of_block, 0);
        } catch (const bench::UsageError&) {
        }
    }
    return std::nullopt;
}

class GoldenCountsOnGpu : public GpuTest, public testing::WithParamInterface<const Step*> {};

TEST_P(GoldenCountsOnGpu, AreThoseOfNumpy) {
    const Step& version = *GetParam();
    unsigned longest = 0;
    for (const auto& [id, iters, hits] : golden_cases(version.name)) {
        const auto shape = shape_of(version, static_cast<unsigned>(id.threads));
        if (!shape) continue;
        EXPECT_EQ(total(published(version, *shape, iters, id.seed, id.launch)), hits)
            << "launch " << id.launch << ", " << id.threads << " threads of " << iters << " samples";
        longest = std::max(longest, iters);
    }
    EXPECT_GE(longest, version.loops_from) << "no case enters every loop";
}

INSTANTIATE_TEST_SUITE_P(Version, GoldenCountsOnGpu, testing::ValuesIn(pi::versions()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
