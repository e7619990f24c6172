// Every source that can be streamed and tested, by name.
#pragma once

#include <string>
#include <vector>

#include "bench/estimands/hits/source.hpp"

namespace quality {

/// A source and the versions that use it.
struct Entry {
    const bench::Source* source;
    std::vector<std::string> versions;  // versions and candidates for one; empty for a specimen

    bool is_specimen() const { return versions.empty(); }
};

/// All sources: those of the ladder in step order (if two words make a sample), the lanes of v15 and v18, the candidates for v14,
/// the specimens.
const std::vector<Entry>& catalogue();

/// Finds a source by its name or by the name of a version. Throws UsageError if there is none.
const bench::Source& source_named(const std::string& name);

/// The first source of the catalogue that draws the same words; it may be `source` itself. A battery's result for one
/// holds for the other.
const bench::Source& first_with_words_of(const bench::Source& source);

}  // namespace quality
