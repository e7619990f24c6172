#include "bench/text.hpp"

#include <fmt/format.h>

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

}  // namespace bench
