// A run as a JSON document.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "bench/record/record.hpp"

namespace bench {

/// The document described in docs/schema.md, "schema": 3, with one run.
std::string to_json(const Record& run);

/// The same, not yet as text. A run that goes on has no outcome: its verdict is not known.
nlohmann::ordered_json document_of(const Record& run);

/// The context alone, as a JSON object.
std::string to_json(const Context& context);

}  // namespace bench
