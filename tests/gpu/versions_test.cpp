// What every version of pi does as a program.
#include "kernels/pi/versions.hpp"

#include "bench/errors.hpp"
#include "bench/estimands/hits/source.hpp"
#include "tests/gpu/gpu_fixture.hpp"

using bench::Step;

namespace {

class EveryVersion : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    const Step& version() const { return *GetParam(); }
};

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

std::string name_of(const testing::TestParamInfo<const Step*>& info) { return info.param->name; }

INSTANTIATE_TEST_SUITE_P(Ladder, EveryVersion, testing::ValuesIn(pi::versions()), name_of);
INSTANTIATE_TEST_SUITE_P(Ablations, EveryVersion, testing::ValuesIn(pi::ablations()), name_of);

}  // namespace
