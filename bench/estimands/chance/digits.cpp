#include "bench/estimands/chance/digits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bench {

int decimals_to(double sd) {
    return sd > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(sd))), 0, std::numeric_limits<double>::digits10)
                  : 0;
}

std::optional<int> believed_decimals(double bound) {
    std::optional<int> believed;
    double unit = 1;  // 10^decimals, exact
    for (int decimals = 0; decimals <= std::numeric_limits<double>::digits10 && bound <= 0.5 / unit; decimals++) {
        believed = decimals;
        unit *= 10;
    }
    return believed;
}

}  // namespace bench
