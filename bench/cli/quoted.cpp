#include "bench/cli/quoted.hpp"

#include <nlohmann/json.hpp>

namespace bench {

std::string quoted(std::string_view text) {
    using nlohmann::json;
    return json(text).dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

}  // namespace bench
