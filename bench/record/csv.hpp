// A run as CSV, for spreadsheets.
#pragma once

#include <string>

namespace bench {

/// A line of names and one of values (RFC 4180, with line feeds), from a document of to_json: suite, unit, commit, date and
/// device, then what the run has in single values, by the path to it ("per_ns.median"). Lists, such as every single
/// timing, are in the document alone. A null is empty.
std::string to_csv(const std::string& document);

}  // namespace bench
