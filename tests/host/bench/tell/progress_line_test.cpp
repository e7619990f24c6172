// What the progress line says.
#include "bench/tell/progress_line.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using bench::PooledProgress;
using bench::progress_text;

constexpr bench::Expectation coin = {1, 2};
constexpr bench::Expectation quarter_circle = {14488039784235215844u, 18446744073709551616.0};

TEST(ProgressText, OfAPooledRunTellsWhatIsDoneAndWhatIsLeft) {
    // 10^14 of 4 * 10^14 samples at 500 a nanosecond, in 210 s: a standard deviation of 4 sqrt(1/4 / 10^14).
    const PooledProgress quarter = {{50'000'012'000'000, 100'000'000'000'000}, 400'000'000'000'000, 200'000, 210};
    EXPECT_EQ(progress_text(quarter, coin), "1e+14 of 4e+14, 25.0 %, 500 samples/ns, 2.0000005 +- 2e-07, 10 min left");
}

TEST(ProgressText, TellsTheTimeLeftInAFittingUnit) {
    const auto left = [](double elapsed_seconds) {  // for half of the samples
        const std::string text = progress_text({{5, 10}, 20, 1, elapsed_seconds}, coin);
        return text.substr(text.rfind(", ") + 2);
    };
    EXPECT_EQ(left(0.001), "0 s left");
    EXPECT_EQ(left(42), "42 s left");
    EXPECT_EQ(left(600), "10 min left");
    EXPECT_EQ(left(2 * 3600), "2 h left");
    EXPECT_EQ(left(30 * 86400), "30 d left");
    EXPECT_EQ(left(1e12), "1.16e+07 d left");
}

TEST(ProgressText, OfACertainOutcomeHasNoSpread) {
    EXPECT_EQ(progress_text({{1000, 1000}, 2000, 1, 1}, {1, 1}),
              "1e+03 of 2e+03, 50.0 %, 0.001 samples/ns, 4 +- 0, 1 s left");
}

TEST(ProgressText, ShowsTheMeasuredStandardDeviation) {
    PooledProgress quarter = {{50'000'012'000'000, 100'000'000'000'000}, 400'000'000'000'000, 200'000, 210};
    quarter.uncertainty = {0.01, 31};  // a tenth of the binomial's
    EXPECT_EQ(progress_text(quarter, coin), "1e+14 of 4e+14, 25.0 %, 500 samples/ns, 2.00000048 +- 2e-08, 10 min left");
}

TEST(ProgressText, HasNoStandardDeviationBeforeItCanBeTold) {
    PooledProgress quarter = {{50'000'012'000'000, 100'000'000'000'000}, 400'000'000'000'000, 200'000, 210};
    quarter.uncertainty.reset();
    EXPECT_EQ(progress_text(quarter, coin), "1e+14 of 4e+14, 25.0 %, 500 samples/ns, 2.0000, 10 min left");
}

// Of 3 * 10^14 samples this part of the run did 10^14, in 240 s of which launches took 200: the rest takes as long again.
TEST(ProgressText, OfAResumedRunTellsTheRateOfThisPart) {
    PooledProgress resumed = {{150'000'000'000'000, 300'000'000'000'000}, 400'000'000'000'000, 200'000, 240};
    resumed.samples_before = 200'000'000'000'000;
    EXPECT_EQ(progress_text(resumed, coin), "3e+14 of 4e+14, 75.0 %, 500 samples/ns, 2.0000000 +- 1e-07, 4 min left");
}

TEST(ProgressText, FitsATerminal) {
    const std::uint64_t samples = 1'073'741'824'000'000'000;
    const PooledProgress large = {{785'000'000'000'000'000, 999'000'000'000'000'000}, samples, 4e8, 4.2e5};
    EXPECT_LT(progress_text(large, quarter_circle).size(), 80u) << progress_text(large, quarter_circle);
}

TEST(ProgressText, OfOtherRunsTellsRateAndInterval) {
    bench::Measurement m;
    m.ms = {1.99, 2.01, 1.99, 2.01, 2, 2};
    m.launches = 6;
    EXPECT_EQ(progress_text("v7", 1'000'000, m), "v7  6 launches, 0.5 samples/ns, interval 1.00 %");
    m.ms = {2};
    m.launches = 1;
    EXPECT_EQ(progress_text("v7", 1'000'000, m), "v7  1 launches, 0.5 samples/ns");
}

}  // namespace
