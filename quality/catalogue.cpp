#include "quality/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/cli/errors.hpp"
#include "kernels/pi/device/sources.hpp"
#include "kernels/pi/versions.hpp"
#include "quality/specimens.hpp"

namespace quality {
namespace {

/// Whether a sample of the source is a hit of two words; other samples their versions' own tests look at.
bool has_words_and_hits(const bench::Source& source) { return source.words && source.hit; }

std::vector<Entry> entries() {
    std::vector<Entry> all;
    for (const bench::Version* version : versions()) {
        if (!has_words_and_hits(*version->source)) {
            continue;
        }
        const auto same = [&](const Entry& entry) { return entry.source == version->source; };
        const auto found = std::find_if(all.begin(), all.end(), same);
        Entry& entry = found != all.end() ? *found : all.emplace_back(Entry{version->source, {}});
        entry.versions.push_back(version->name);
    }
    all.push_back({&pi::sources::folded_mrg_lanes, {"v15_lanes"}});
    all.push_back({&pi::sources::folded_mrg, {"v14_folded"}});
    all.push_back({&pi::sources::philox7, {"v14_philox7"}});
    all.push_back({&pi::sources::mwc64x, {"v14_mwc64x"}});
    all.push_back({&pi::sources::xor_mrg, {"v14_xor"}});
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
    for (const bench::Version* version : versions()) {
        if (name == version->name) {
            throw bench::UsageError(
                version->source->words
                    ? fmt::format("the words of {} are those of {}", name, first_with_words_of(*version->source).name)
                    : fmt::format("{} draws no random words; --list shows which do", name));
        }
    }
    throw bench::UsageError(fmt::format("there is no {:?}; --list shows all", name));
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
