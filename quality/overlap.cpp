#include "quality/overlap.hpp"

#include <algorithm>
#include <cmath>

namespace quality {

Overlap overlap(std::uint64_t streams, std::uint64_t draws, double cycle_draws) {
    const double others = static_cast<double>(streams) - 1, length = static_cast<double>(draws);
    const double near = std::min(1.0, (2 * length - 1) / cycle_draws);
    return {streams, draws, cycle_draws, static_cast<double>(streams) * length / cycle_draws,
            -std::expm1(others * std::log1p(-near))};
}

}  // namespace quality
