// The text of the progress line.
#include "bench/record/progress_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using bench::PooledProgress;
using bench::progress_text;

constexpr bench::Unit path_steps = {"path-step", "path-steps"};

/// 10^14 of 4 * 10^14 path-steps, at 500 a nanosecond, in 210 s.
PooledProgress quarter() { return {100'000'000'000'000, 0.25, 0, path_steps, 200'000, 210, "7 +- 2"}; }

TEST(ProgressText, OfAPooledRunTellsWhatIsDoneAndWhatIsLeft) {
    EXPECT_EQ(progress_text(quarter()), "1e+14 of 4e+14, 25.0 %, 500 path-steps/ns, 7 +- 2, 10 min left");
}

TEST(ProgressText, TellsTheTimeLeftInAFittingUnit) {
    const auto left = [](double elapsed_seconds) {  // for half of the work
        const std::string text = progress_text({10, 0.5, 0, path_steps, 1, elapsed_seconds, ""});
        return text.substr(text.rfind(", ") + 2);
    };
    EXPECT_EQ(left(0.001), "0 s left");
    EXPECT_EQ(left(42), "42 s left");
    EXPECT_EQ(left(600), "10 min left");
    EXPECT_EQ(left(2 * 3600), "2 h left");
    EXPECT_EQ(left(30 * 86400), "30 d left");
    EXPECT_EQ(left(1e12), "1.16e+07 d left");
}

// This part of the run did 10^14 of 3 * 10^14 path-steps in 240 s, 200 s of them in launches. The rest takes as long
// again.
TEST(ProgressText, OfAResumedRunTellsTheRateOfThisPart) {
    PooledProgress resumed = quarter();
    resumed.done = 300'000'000'000'000;
    resumed.share = 0.75;
    resumed.before = 200'000'000'000'000;
    resumed.elapsed_seconds = 240;
    EXPECT_EQ(progress_text(resumed), "3e+14 of 4e+14, 75.0 %, 500 path-steps/ns, 7 +- 2, 4 min left");
}

TEST(ProgressText, OfOtherRunsTellsRateAndInterval) {
    bench::Measurement m;
    m.ms = {1.99, 2.01, 1.99, 2.01, 2, 2};
    m.work = std::vector<double>(6, 1e6);
    m.launches = 6;
    EXPECT_EQ(progress_text("v7", path_steps, m), "v7  6 launches, 0.5 path-steps/ns, interval 1.00 %");
    m.ms = {2};
    m.work = {1e6};
    m.launches = 1;
    EXPECT_EQ(progress_text("v7", path_steps, m), "v7  1 launches, 0.5 path-steps/ns");
}

}  // namespace
