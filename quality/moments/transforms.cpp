#include "quality/moments/exhaust.hpp"

namespace normals {

const std::vector<Transform>& transforms() {
    static const std::vector<Transform> all = {
        {"accurate Box-Muller", "n2", of_accurate_box_muller, exhaust_accurate_box_muller},
        {"Box-Muller on XU", "n3, n7, n8, part of n9", of_xu_box_muller, exhaust_xu_box_muller},
        {"Box-Muller, polynomials", "part of n9", of_polynomial_box_muller, exhaust_polynomial_box_muller},
        {"inverse distribution function", "n10", of_inverse_cdf, exhaust_inverse_cdf},
    };
    return all;
}

}  // namespace normals
