// Float paths of the ladder asian are near those in double precision.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/asian/versions.hpp"
#include "kernels/options/asian/shared/option.hpp"
#include "tests/gpu/asian_on_gpu.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using bench::Step;

/// All steps and ablations, to run as programs.
std::vector<const Step*> all_steps() {
    std::vector<const Step*> all = asian::versions();
    all.insert(all.end(), asian::ablations().begin(), asian::ablations().end());
    return all;
}

class AsianPrograms : public GpuTest, public testing::WithParamInterface<const Step*> {
 protected:
    void SetUp() override {
        GpuTest::SetUp();
        skip_without_memory_for(*GetParam());
    }
};

TEST_P(AsianPrograms, PassTheirVerdictInOneLaunch) {
    const auto run = run_program(*GetParam(), {"--profile"});
    EXPECT_EQ(run.exit_code, bench::exit_done) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Asian, AsianPrograms, testing::ValuesIn(all_steps()),
                         [](const auto& info) { return std::string(info.param->name); });

class AsianPayoffs : public GpuTest {};

TEST_F(AsianPayoffs, InFloatAreThoseInDoubleOnAverage) {
    for (const auto path : {FloatPath::prices, FloatPath::logarithms, FloatPath::bridge}) {
        for (const unsigned steps : {16u, 64u, 256u}) {
            const PayoffError error = payoff_error(path, steps);
            const std::string where =
                "path " + std::to_string(static_cast<int>(path)) + ", " + std::to_string(steps) + " steps";
            EXPECT_LE(error.largest, 2e-3) << where;
            const auto allowed = path == FloatPath::prices ? asian::error_of_products(steps) : asian::error_of_sums;
            EXPECT_LE(std::fabs(error.mean) + 2 * error.sd, allowed.payoff) << where << ": " << error.mean;
        }
    }
}

using Asian = GpuTest;

TEST_F(Asian, TooManyPointsAreRefused) {
    const Step& quasi_random = **std::find_if(asian::versions().begin(), asian::versions().end(),
                                              [](const Step* step) { return step->name == std::string("a7"); });
    skip_without_memory_for(quasi_random);
    if (IsSkipped()) return;
    const auto run = run_program(quasi_random, {"--blocks", "32768", "--iters", "256"});
    EXPECT_EQ(run.exit_code, bench::exit_usage) << run.err;
    EXPECT_NE(run.err.find("points of the set"), std::string::npos) << run.err;
}

}  // namespace
