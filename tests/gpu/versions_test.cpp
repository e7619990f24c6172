// What every version of pi does as a program.
#include "kernels/pi/versions.hpp"

#include "bench/errors.hpp"
#include "bench/estimands/hits/source.hpp"
#include "bench/workers/gpu/device.hpp"
#include "tests/gpu/gpu_fixture.hpp"

using bench::Shape;
using bench::Step;

namespace {

class EveryVersion : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    const Step& version() const { return *GetParam(); }

    /// The first of these grids that the version accepts.
    Shape small_shape() const {
        for (const Shape shape : {Shape{1, 1}, {37, 1}, {1, 32}}) {
            try {
                bench::check_shape(version(), shape.blocks, shape.threads);
                return shape;
            } catch (const bench::UsageError&) {
            }
        }
        return {2, version().default_threads};
    }
};

TEST_P(EveryVersion, GivesOtherHitsForAnotherSeedOrLaunch) {
    if (bench::source_of(version()).expected.count == bench::source_of(version()).expected.total) {
        GTEST_SKIP() << "every sample of this ablation is a hit";
    }
    // One comparison could tie by chance (hits of 100,000 samples spread over some 500 values); five do not.
    const auto hits = [&](std::uint64_t of_seed, std::uint64_t index) {
        return total(published(version(), small_shape(), 100'000, of_seed, index));
    };
    const auto base = hits(1, 0);
    int other_seeds = 0, other_launches = 0;
    for (std::uint64_t i = 1; i <= 5; i++) {
        other_seeds += hits(1 + i, 0) != base;
        other_launches += hits(1, i) != base;
    }
    EXPECT_GE(other_seeds, 3);
    EXPECT_GE(other_launches, 3);
}

TEST_P(EveryVersion, EstimatesPiAtItsDefaultsAndReportsARate) {
    const bool point_sets = bench::hits_of(*version().estimand).independent == bench::Independent::launches;
    const auto run = run_program(version(), {"--launches", point_sets ? "16" : "2"});
    EXPECT_EQ(run.exit_code, bench::exit_done) << run.err;
    EXPECT_NE(run.out.find("samples/ns"), std::string::npos) << run.out;
}

TEST_P(EveryVersion, ProfilesOneLaunchWithAVerdictAndNoRate) {
    const auto run = run_program(version(), {"--profile", "--iters", "1000"});
    EXPECT_EQ(run.exit_code, bench::exit_done) << run.err;
    const bool point_sets = bench::hits_of(*version().estimand).independent == bench::Independent::launches;
    const char* verdict = point_sets ? "one launch has no error estimate" : " sd from its expectation";
    EXPECT_NE(run.out.find(verdict), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("samples/ns"), std::string::npos) << run.out;
}

TEST_P(EveryVersion, RefusesADeviceThatIsNotThere) {
    const auto run = run_program(version(), {"--device", "99"});
    EXPECT_EQ(run.exit_code, bench::exit_usage);
    EXPECT_NE(run.err.find("--device"), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
}

std::string name_of(const testing::TestParamInfo<const Step*>& info) { return info.param->name; }

INSTANTIATE_TEST_SUITE_P(Ladder, EveryVersion, testing::ValuesIn(pi::versions()), name_of);
INSTANTIATE_TEST_SUITE_P(Ablations, EveryVersion, testing::ValuesIn(pi::ablations()), name_of);

}  // namespace
