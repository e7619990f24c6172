#include "bench/estimand.hpp"

#include <nlohmann/json.hpp>

namespace bench {

nlohmann::ordered_json Estimand::problem() const { return nullptr; }

}  // namespace bench
