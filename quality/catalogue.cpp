#include "quality/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/errors.hpp"
#include "bench/text.hpp"
#include "kernels/pi/versions.hpp"
#include "quality/gpu_tests.hpp"

namespace quality {
namespace {

/// Whether the words of an entry are tested as a source uses them, which has no pairs of words of its own.
bool covers(const Entry& entry, const bench::Source& source) {
    return source.bit_planes && !source.hit && entry.source->bit_planes && entry.source->words == source.words;
}

/// Each version belongs to the first entry that tests its words.
std::vector<Entry> entries() {
    std::vector<Entry> all = tested_sources();
    for (const bench::Step* version : pi::versions()) {
        const bench::Source& source = bench::source_of(*version);
        const auto entry = std::find_if(all.begin(), all.end(),
                                        [&](const Entry& e) { return e.source == &source || covers(e, source); });
        if (entry != all.end()) entry->versions.push_back(version->name);
    }
    return all;
}

bool answers_to(const Entry& entry, const std::string& name) {
    return entry.source->name == name ||
           std::find(entry.versions.begin(), entry.versions.end(), name) != entry.versions.end();
}

}  // namespace

const std::vector<Entry>& catalogue() {
    static const std::vector<Entry> all = entries();
    return all;
}

const bench::Source& source_named(const std::string& name) {
    for (const Entry& entry : catalogue()) {
        if (answers_to(entry, name)) {
            return *entry.source;
        }
    }
    for (const bench::Step* version : pi::versions()) {
        if (name == version->name) {
            const bench::Source& source = bench::source_of(*version);
            throw bench::UsageError(
                source.words ? fmt::format("{} draws the same words as {}", name, first_with_words_of(source).name)
                             : fmt::format("{} draws no random words; see --list", name));
        }
    }
    throw bench::UsageError(fmt::format("{} is no version and no generator; see --list", bench::quoted(name)));
}

const bench::Source& first_with_words_of(const bench::Source& source) {
    for (const Entry& entry : catalogue()) {
        if (entry.source->words == source.words) {
            return *entry.source;
        }
    }
    return source;
}

}  // namespace quality
