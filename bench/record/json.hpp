// A run as a JSON document, and as CSV for spreadsheets.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bench/record/record.hpp"

namespace bench {

/// A document in one line, or in many with an indent. Of a name that is no UTF-8, U+FFFD stands for what cannot be read.
std::string as_text(const nlohmann::ordered_json& document, int indent = -1);

/// The document described in docs/schema.md, "schema": 3, with one run. A run that goes on has no outcome: its verdict is not
/// known.
nlohmann::ordered_json document_of(const Record& run);

/// That as text.
std::string to_json(const Record& run);

nlohmann::ordered_json to_json(const Context& context);

/// The value, or null.
template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// A line of names and one of values (RFC 4180, with line feeds), from a document: suite, unit, commit, date and
/// device, then what the run has in single values, by the path to it ("per_ns.median"). Lists, such as every single
/// timing, are in the document alone. A null is empty.
std::string to_csv(const nlohmann::ordered_json& document);

}  // namespace bench
