// Moments of the built-in systems. The expected values were computed with numpy and scipy: by dense matrices (lap2d), for
// tridiagonal matrices (shift1d), by blocks (sp1) and by Neumann sums (ad3d).
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/mcls/analysis/history_ends.hpp"
#include "kernels/mcls/analysis/moments.hpp"
#include "kernels/mcls/system/systems.hpp"

namespace {

using namespace mcls;
using Vector = std::vector<double>;

constexpr std::uint64_t steps = 10'000;

double square_norm(const Vector& vector) {
    double sum = 0;
    for (const double value : vector) {
        sum += value * value;
    }
    return sum;
}

double relative_variance(const Moments& moments) { return moments.total_variance() / square_norm(moments.mean()); }

double relative_stratified_variance(const Moments& moments) {
    return (moments.total_variance() - moments.variance_of_starts()) / square_norm(moments.mean());
}

double relative_residual(const Moments& moments, const Splitting& splitting) {
    return std::sqrt(moments.squared_residual(1e7).value().mean / square_norm(splitting.b));
}

double relative_deviation(const MeanVariance& law) { return std::sqrt(law.variance) / law.mean; }

TEST(MomentsOfLap2d, AreThoseOfDenseMatrices) {
    const Splitting splitting = jacobi(built_in("lap2d"));
    const Moments adjoint(almost_optimal(splitting, Method::adjoint, steps));
    EXPECT_NEAR(adjoint.mean()[0], 2.003891929728754, 1e-12);
    EXPECT_NEAR(adjoint.mean()[449], 9.96249318950024, 1e-11);
    EXPECT_NEAR(std::sqrt(square_norm(adjoint.mean())), 1228.15744163074, 1e-8);
    EXPECT_NEAR(relative_variance(adjoint), 16.036, 5e-4);
    EXPECT_NEAR(relative_stratified_variance(adjoint), 14.602, 5e-4);
    EXPECT_NEAR(relative_residual(adjoint, splitting), 0.09201, 6e-6);
    EXPECT_NEAR(relative_deviation(*adjoint.squared_residual(1e7)), 0.059, 5e-4);

    const Histories absorbed = absorbing(splitting, Method::adjoint);
    EXPECT_NEAR(relative_variance(Moments(absorbed)), 18.310, 5e-4);
    EXPECT_NEAR(relative_stratified_variance(Moments(absorbed)), 16.877, 6e-4);
    EXPECT_NEAR(transitions(absorbed)->mean, 142.76, 0.005);

    EXPECT_NEAR(900 * relative_variance(Moments(almost_optimal(splitting, Method::forward, steps))), 706.97, 0.005);
    EXPECT_NEAR(900 * relative_variance(Moments(absorbing(splitting, Method::forward))), 895.17, 0.006);
}

TEST(MomentsOfLap2d, BoundTheBiasOfTheCutoff) {
    const Histories histories = almost_optimal(jacobi(built_in("lap2d")), Method::adjoint, steps, 1e-9);
    double most = 0;
    for (const std::uint32_t centre : {434, 435, 464, 465}) {
        std::vector<std::uint8_t> judged(900);
        judged[centre] = 1;
        most = std::max(most, cutoff_bias(histories, judged));
    }
    EXPECT_NEAR(most, 4.1e-7, 0.05e-7);
}

TEST(MomentsOfShift1d, AreThoseOfTridiagonalMatrices) {
    const Splitting splitting = jacobi(built_in("shift1d"));
    const Moments adjoint(almost_optimal(splitting, Method::adjoint, steps));
    EXPECT_NEAR(adjoint.mean()[500'000], 1.4900786094367504, 1e-14);
    EXPECT_NEAR(std::sqrt(square_norm(adjoint.mean())), 1254.1071901979208, 1e-9);
    EXPECT_NEAR(relative_variance(adjoint), 257'561, 0.5);
    EXPECT_NEAR(relative_stratified_variance(adjoint), 73'589, 100);
    EXPECT_NEAR(relative_residual(adjoint, splitting), 0.41067, 5e-6);
}

TEST(ForwardMomentsOfShift1d, AreThoseOfTridiagonalMatrices) {
    const Splitting splitting = jacobi(built_in("shift1d"));
    EXPECT_NEAR(1e6 * relative_variance(Moments(almost_optimal(splitting, Method::forward, steps))), 5228.7, 0.05);
}

// The variance of the last groups of energy builds up over 60,000 steps: the spectral radius of the second moments is 0.999835.
TEST(MomentsOfSp1, AreThoseOfItsBlocks) {
    const Moments moments(almost_optimal(jacobi(built_in("sp1")), Method::adjoint, 60'000));
    EXPECT_NEAR(moments.mean()[25'567], 139.51313718817806, 1e-9);
    EXPECT_NEAR(relative_variance(moments), 3899.5, 0.5);
}

// The expected values have the same (I - H)^-1_jj, 1.020104, for all j.
TEST(MomentsOfAd3d, AreThoseOfNeumannSums) {
    const Splitting splitting = jacobi(built_in("ad3d"));
    const Moments adjoint(almost_optimal(splitting, Method::adjoint, steps));
    EXPECT_NEAR(adjoint.mean()[0], 0.17662553245676, 1e-13);
    EXPECT_NEAR(std::sqrt(square_norm(adjoint.mean())), 384.569732067, 1e-8);
    EXPECT_NEAR(relative_variance(adjoint), 141'200, 200);
    EXPECT_NEAR(relative_residual(adjoint, splitting), 0.56, 0.005);
}

}  // namespace
