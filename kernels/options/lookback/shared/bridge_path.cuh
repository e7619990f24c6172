// The path of step l5: eight words of a point become a path of eight days.
#pragma once

#include "kernels/options/lookback/shared/log2_path.cuh"
#include "kernels/random/normals/inverse_cdf.cuh"
#include "kernels/random/sobol_dimensions.cuh"

namespace lookback {

inline constexpr unsigned bridge_days = 8;

/// A quarter of the normal of each day.
struct BridgedNormals {
    float quarter[bridge_days];
};

/// Normals of eight days from eight independent ones, by a Brownian bridge: the first of them determines the sum of all
/// days, the next one how much of it comes in the first half, the next two how the halves are divided, and so on. The
/// first dimensions of a point, which are spread best, then say most about the path. Caflisch, Morokoff, Owen, "Valuation
/// of mortgage-backed securities using Brownian bridges to reduce effective dimension", Journal of Computational Finance 1,
/// 1997.
__host__ __device__ __forceinline__ BridgedNormals bridge(const rng::SobolWords<bridge_days>& point) {
    BridgedNormals sums;
    sums.quarter[0] = static_cast<float>(root_of(bridge_days) / 4) * rng::inverse_cdf(point.word[0]);
    for (unsigned parts = 1; parts < bridge_days; parts *= 2) {
        const auto spread = static_cast<float>(root_of(bridge_days / parts) / 2 / 4);
        for (unsigned i = parts; i-- > 0;) {
            const float z = rng::inverse_cdf(point.word[parts + i]);
            const float half = sums.quarter[i] / 2;
            sums.quarter[2 * i] = fmaf(spread, z, half);
            sums.quarter[2 * i + 1] = fmaf(-spread, z, half);
        }
    }
    return sums;
}

/// The path of a point.
__host__ __device__ __forceinline__ PathValues bridge_path(const rng::SobolWords<bridge_days>& point) {
    const BridgedNormals normals = bridge(point);
    float growth[bridge_days + 1];
    growth[0] = 1;
    Log2Day day;
    for (unsigned t = 0; t < bridge_days; t++) {
        advance(&day, normals.quarter[t]);
        growth[t + 1] = rng::xu_exp2(day.x);
    }
    return {payoff_of_growth<bridge_days>(growth), natural(day.x)};
}

}  // namespace lookback
