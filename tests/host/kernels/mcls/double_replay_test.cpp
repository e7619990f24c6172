// Replays in double precision estimate what exact moments say.
#include "kernels/mcls/replay/double_replay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "kernels/mcls/system/splitting.hpp"
#include "kernels/mcls/tables/double_tables.hpp"

namespace {

using mcls::DoubleLaunch;
using mcls::DoubleOutcome;
using mcls::Limits;
using mcls::Seeding;

// tiny4 after 10 steps: the mean of a history, and its variance for an entry. From dense matrices of 4 x 4.
constexpr double mean[] = {0.1074617, -0.07164202, -0.23283465, 0.99701504};
constexpr double adjoint_variance[] = {0.56864767, 0.27636898, 0.9269828, 0.97216041};
constexpr double forward_variance[] = {0.03005932, 0.02701741, 0.05894116, 0.01635526};
constexpr Limits ten_steps = {10, 0};

struct Tables {
    explicit Tables(const char* system, const Limits& to = ten_steps)
        : splitting(jacobi(mcls::built_in(system))),
          starts(mcls::double_start_table(splitting.b)),
          transposed_h(csr_table(transposed(splitting.h))),
          h(csr_table(splitting.h)),
          limits(to) {}

    mcls::AdjointTables<mcls::CsrRows> adjoint() const { return {starts.view(), transposed_h.view(), limits}; }
    mcls::ForwardTables<mcls::CsrRows> forward(std::uint64_t histories_of_entry) const {
        return {splitting.b.data(), h.view(), limits, histories_of_entry};
    }

    mcls::Splitting splitting;
    mcls::DoubleStartTable starts;
    mcls::CsrTable transposed_h, h;
    Limits limits;
};

constexpr std::uint64_t histories = 100'000;

DoubleLaunch launch_of(std::uint64_t threads, Seeding seeding = Seeding::own_seeds, std::uint64_t n = histories) {
    return {seeding, 1234, 3, threads, n};
}

void expect_mean(const DoubleOutcome& outcome, std::uint64_t of_entry, const double (&variance)[4]) {
    for (std::size_t j = 0; j < 4; j++) {
        const auto n = static_cast<double>(of_entry);
        EXPECT_NEAR(outcome.tallies[j].sum / n, mean[j], 5 * std::sqrt(variance[j] / n)) << "entry " << j;
    }
}

TEST(DoubleReplays, OfAdjointHistoriesHaveTheExactMean) {
    const Tables tables("tiny4");
    for (const Seeding seeding : {Seeding::subsequences, Seeding::own_seeds}) {
        const DoubleOutcome outcome = replay(tables.adjoint(), launch_of(1000, seeding));
        EXPECT_EQ(outcome.histories, histories);
        EXPECT_EQ(outcome.transitions, 10 * histories);
        expect_mean(outcome, histories, adjoint_variance);
    }
}

TEST(DoubleReplays, GiveEachThreadItsOwnSubsequence) {
    constexpr std::uint64_t threads = 50;
    const Tables tables("tiny4");
    std::vector<double> tallies(4);
    for (std::uint64_t thread = 0; thread < threads; thread++) {
        curandState_t state;
        curand_init(1234, 3 * threads + thread, 0, &state);
        mcls::Uniforms numbers(state);
        mcls::adjoint_history<mcls::Loads<mcls::Plainly>>(
            tables.adjoint(), numbers, [&](std::uint32_t entry, double amount) { tallies[entry] += amount; });
    }
    const DoubleOutcome outcome = replay(tables.adjoint(), launch_of(threads, Seeding::subsequences, threads));
    for (std::size_t j = 0; j < tallies.size(); j++) {
        EXPECT_NEAR(outcome.tallies[j].sum, tallies[j], outcome.tallies[j].rounding()) << "entry " << j;
    }
}

TEST(DoubleReplays, OfSortedStartsHaveTheExactMean) {
    const DoubleOutcome outcome = replay_sorted(Tables("tiny4").adjoint(), launch_of(1000));
    EXPECT_EQ(outcome.transitions, 10 * histories);
    expect_mean(outcome, histories, adjoint_variance);
}

TEST(DoubleReplays, OfForwardHistoriesHaveTheExactMean) {
    const Tables tables("tiny4");
    const auto launch = [](std::uint64_t threads) { return launch_of(threads, Seeding::own_seeds, 4 * histories); };
    for (const DoubleOutcome& outcome :
         {replay(tables.forward(histories), launch(1000)), replay_by_entries(tables.forward(histories), launch(3))}) {
        EXPECT_EQ(outcome.histories, 4 * histories);
        EXPECT_EQ(outcome.transitions, 40 * histories);
        expect_mean(outcome, histories, forward_variance);
    }
}

TEST(DoubleReplays, EndAtTheCutoff) {
    // All rows of shift1d but those beside the ends sum to 0.8, and 0.8^93 is the first power below 1e-9.
    const Tables tables("shift1d", {10'000, 1e-9});
    EXPECT_EQ(replay(tables.adjoint(), launch_of(64, Seeding::own_seeds, 500)).transitions, 93u * 500);
}

TEST(DoubleReplays, OfOneLaunchDifferFromThoseOfAnother) {
    const Tables tables("tiny4");
    for (const Seeding seeding :
         {Seeding::subsequences, Seeding::own_seeds, Seeding::consecutive_seeds, Seeding::random_seeds}) {
        DoubleLaunch launch = launch_of(100, seeding, 1000);
        const double first = replay(tables.adjoint(), launch).tallies[0].sum;
        launch.index++;
        EXPECT_NE(replay(tables.adjoint(), launch).tallies[0].sum, first);
    }
}

}  // namespace
