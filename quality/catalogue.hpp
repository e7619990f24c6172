// Every source that can be streamed and tested, by name.
#pragma once

#include <string>
#include <vector>

#include "bench/estimands/source.hpp"

namespace quality {

/// A source, and who uses it.
struct Entry {
    const bench::Source* source;
    std::vector<std::string> versions;  // of the ladder, or a candidate for one; none for a specimen

    bool is_specimen() const { return versions.empty(); }
};

/// The sources of the ladder in step order, as far as two words make a sample; the lanes of v15; candidates for v14; then
/// the specimens.
const std::vector<Entry>& catalogue();

/// The source of that name, or of the version of that name; throws UsageError where there is none.
const bench::Source& source_named(const std::string& name);

/// The first source of the catalogue that draws the same words, which may be the source itself: then what a battery
/// says of one holds of the other.
const bench::Source& first_with_words_of(const bench::Source& source);

}  // namespace quality
