#include "quality/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/errors.hpp"
#include "kernels/pi/versions.hpp"
#include "quality/specimens.hpp"

namespace quality {
namespace {

std::vector<Entry> entries() {
    std::vector<Entry> all;
    for (const bench::Version* version : versions()) {
        const auto same = [&](const Entry& entry) { return entry.source == version->source; };
        const auto found = std::find_if(all.begin(), all.end(), same);
        Entry& entry = found != all.end() ? *found : all.emplace_back(Entry{version->source, {}});
        entry.versions.push_back(version->name);
    }
    for (const bench::Source* specimen :
         {&specimens::constant, &specimens::counter, &specimens::philox_stuck_bit, &specimens::xorshift32_consecutive,
          &specimens::lcg_consecutive, &specimens::trinomial_63_1, &specimens::trinomial_31_3}) {
        all.push_back({specimen, {}});
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
    throw bench::UsageError(fmt::format("there is no {:?}: --list names what there is", name));
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
