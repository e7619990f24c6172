#include "quality/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/errors.hpp"
#include "bench/text.hpp"
#include "kernels/pi/versions.hpp"
#include "quality/gpu_tests.hpp"

namespace quality {
namespace {

std::vector<Entry> entries() {
    std::vector<Entry> all = tested_sources();
    for (const bench::Step* version : pi::versions()) {
        for (Entry& entry : all) {
            if (entry.source == &bench::source_of(*version)) {
                entry.versions.push_back(version->name);
            }
        }
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
