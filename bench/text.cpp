#include "bench/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace bench {

std::string line(const std::string& label, const std::string& text) { return fmt::format("  {:<9} {}\n", label, text); }

std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
        digits.insert(static_cast<std::size_t>(i), 1, ',');
    }
    return digits;
}

std::string quoted(std::string_view text) {
    using nlohmann::json;
    return json(text).dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

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
