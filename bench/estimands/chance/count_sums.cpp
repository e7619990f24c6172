#include "bench/estimands/chance/count_sums.hpp"

#include <boost/multiprecision/cpp_int.hpp>

namespace bench {

// (n Q - S^2) / (n (n - 1)); n Q alone may take 190 bits.
std::optional<double> CountSums::variance() const {
    if (count < 2) {
        return std::nullopt;
    }
    using Wide = boost::multiprecision::uint256_t;
    const Wide numerator = Wide(count) * sum_of_squares - Wide(sum) * sum;
    const Wide denominator = Wide(count) * (count - 1);
    return static_cast<double>(numerator.convert_to<long double>() / denominator.convert_to<long double>());
}

bool CountSums::are_possible() const {
    if (count == 0) {
        return sum == 0 && sum_of_squares == 0;
    }
    const Uint128 of_sum = Uint128{sum} * sum;
    const Uint128 least_squares = of_sum / count + (of_sum % count != 0);
    return least_squares <= sum_of_squares && sum_of_squares <= of_sum;
}

}  // namespace bench
