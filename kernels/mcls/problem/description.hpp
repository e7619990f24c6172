// What people read of a problem.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/problem/design.hpp"
#include "kernels/mcls/problem/wish.hpp"

namespace mcls {

/// What is solved and how: the first fields of "problem" in a result (docs/schema.md).
nlohmann::ordered_json description(const Design& design, const Wish& wish, const Histories& histories);

/// The same as lines of a report, from all fields of "problem".
std::string description_lines(const nlohmann::ordered_json& problem);

}  // namespace mcls
