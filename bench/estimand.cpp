#include "bench/estimand.hpp"

#include <nlohmann/json.hpp>

namespace bench {

nlohmann::ordered_json Estimand::problem() const { return nullptr; }

std::optional<Rehearsal> Estimand::rehearsal(const Work&, const Problem*) const { return std::nullopt; }

}  // namespace bench
