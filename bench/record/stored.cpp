#include "bench/record/stored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/errors.hpp"
#include "bench/record/json.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::string checksum(const Json& document) {
    const std::string text = document.dump();
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    return fmt::format("{:08x}", crc.checksum());
}

/// Sums as decimal strings: numbers in JSON may lose precision beyond 2^53.
Json row_json(const Row& row) {
    Json sums = Json::array();
    for (const Uint128 sum : row) sums.push_back(fmt::format("{}", sum));
    return sums;
}

Json tally_json(const Record& run) {
    const auto& [sums, least, most, fingerprints, parts, marked] = run.tally.state();
    Json ranges = Json::array(), trace = Json::array();
    for (const Range& range : run.ranges) ranges.push_back({range.first, range.end});
    for (const Sums& point : marked) trace.push_back({point.launches, row_json(point.row)});
    return {{"program", run.program},
            {"options", Json(run.own)},
            {"ranges", ranges},
            {"goal", run.goal},
            {"work_per_launch", run.tally.spec().work},
            {"sums", row_json(sums.row)},
            {"least", row_json(least)},
            {"most", row_json(most)},
            {"fingerprints", fingerprints.kept()},
            {"parts", parts.sums()},
            {"trace", trace}};
}

/// What is wrong with a file.
struct Flaw {
    std::string text;
};

void demand(bool holds, const char* otherwise) {
    if (!holds) throw Flaw{otherwise};
}

Uint128 decimal(const std::string& digits) {
    constexpr std::size_t most_digits = 38;  // always below 2^128
    demand(
        !digits.empty() && digits.size() <= most_digits && digits.find_first_not_of("0123456789") == std::string::npos,
        "its sums are no whole numbers");
    Uint128 number = 0;
    for (const char digit : digits) number = 10 * number + static_cast<unsigned>(digit - '0');
    return number;
}

Row row_of(const Json& json) {
    Row row;
    for (const Json& sum : json) row.push_back(decimal(sum.get<std::string>()));
    return row;
}

Tally::State state_of(const Json& tally, std::uint64_t launches) {
    Tally::State state;
    state.sums = {launches, row_of(tally.at("sums"))};
    state.least = row_of(tally.at("least"));
    state.most = row_of(tally.at("most"));
    const auto prints = tally.at("fingerprints").get<std::vector<std::uint64_t>>();
    demand(prints.size() == std::min<std::uint64_t>(launches, Fingerprints::most),
           "its fingerprints are not those of its launches");
    state.fingerprints.merge(prints);
    state.parts.merge(tally.at("parts").get<std::vector<std::uint64_t>>());
    for (const Json& point : tally.at("trace")) {
        state.marked.push_back({point.at(0).get<std::uint64_t>(), row_of(point.at(1))});
    }
    return state;
}

std::vector<Range> ranges_of(const Json& json) {
    std::vector<Range> ranges;
    for (const Json& range : json) {
        ranges.push_back({range.at(0).get<std::uint64_t>(), range.at(1).get<std::uint64_t>()});
        const std::uint64_t before = ranges.size() > 1 ? ranges[ranges.size() - 2].end : 0;
        demand(before <= ranges.back().first && ranges.back().first <= ranges.back().end, "its launches overlap");
    }
    return ranges;
}

LaunchSpec spec_of(const Json& run, const Json& tally) {
    const bool on_cpu = run.at("blocks").is_null();
    LaunchSpec spec;
    spec.seed = run.at("seed").get<std::uint64_t>();
    spec.shape = {on_cpu ? 1 : run.at("blocks").get<unsigned>(), run.at("threads").get<unsigned>()};
    spec.iters = run.at("iters").get<unsigned>();
    spec.streams = on_cpu ? run.at("streams").get<std::uint64_t>() : total_threads(spec.shape);
    spec.work = tally.at("work_per_launch").get<std::uint64_t>();
    demand(spec.streams > 0 && spec.iters > 0 && spec.work > 0, "its launches come to no work");
    return spec;
}

Stored stored_of(const std::string& path, const Json& document) {
    const Json &context = document.at("context"), &run = document.at("runs").at(0), &tally = run.at("tally");
    const auto ranges = ranges_of(tally.at("ranges"));
    std::uint64_t launches = 0;
    for (const Range& range : ranges) launches += range.end - range.first;
    Stored stored = {path,
                     tally.at("program").get<std::string>(),
                     tally.at("options").get<OwnValues>(),
                     context.at("commit").get<std::string>(),
                     context.at("dirty").get<bool>(),
                     run.at("blocks").is_null(),
                     spec_of(run, tally),
                     ranges,
                     tally.at("goal").get<std::uint64_t>(),
                     state_of(tally, launches)};
    demand(stored.launches_done() <= stored.goal, "more launches are done than there are");
    return stored;
}

/// The document in a text, without its checksum.
Json verified(const std::string& text) {
    demand(text.substr(0, 64).find("\"kind\": \"checkpoint\"") == std::string::npos,
           "a checkpoint of an older version, which this program cannot continue");
    Json document = Json::parse(text, nullptr, false);
    demand(document.is_object(), "damaged, or not the record of a run");
    demand(document.contains("checksum"), "not a record with its tally, as --checkpoint writes it");
    const Json sum = document["checksum"];
    document.erase("checksum");
    demand(sum == checksum(document), "damaged: its checksum does not match");
    return document;
}

}  // namespace

std::string to_stored(const Record& run) {
    Json document = document_of(run);
    document["runs"][0]["tally"] = tally_json(run);
    document["checksum"] = checksum(document);
    return document.dump(1) + "\n";
}

Stored read_stored(const std::string& path, const std::string& text) {
    try {
        return stored_of(path, verified(text));
    } catch (const Flaw& flaw) {
        throw UsageError(fmt::format("{}: {}", path, flaw.text));
    } catch (const nlohmann::json::exception&) {
        throw UsageError(fmt::format("{}: not a record as this program writes it", path));
    }
}

Tally tally_of(const Stored& stored, const std::string& program, const Tally& none) {
    const LaunchSpec &own = stored.spec, &spec = none.spec();
    const Estimand& estimand = none.estimand();
    const auto refuse = [&](const std::string& why) { throw UsageError(fmt::format("{}: {}", stored.path, why)); };
    if (stored.program != program) refuse(fmt::format("holds a run of {}, not of {}", stored.program, program));
    if (own.seed != spec.seed) refuse(fmt::format("holds a run of seed {}, not {}", own.seed, spec.seed));
    if ((!stored.on_cpu && !(own.shape == spec.shape)) || own.iters != spec.iters || own.streams != spec.streams ||
        own.work != spec.work) {
        refuse("holds launches of another shape");
    }
    const bool none_done = stored.launches_done() == 0;
    const auto fits = [&](const Row& row) { return row.size() == (none_done ? 0 : estimand.traced()); };
    const auto& state = stored.tally;
    if (state.sums.row.size() != estimand.width() || !fits(state.least) || !fits(state.most) ||
        state.parts.sums().size() != (none_done ? 0 : none.followed_parts()) ||
        !std::all_of(state.marked.begin(), state.marked.end(), [&](const Sums& point) { return fits(point.row); })) {
        refuse("its launches have other sums");
    }
    Tally tally = none.empty();
    tally.restore(state);
    try {
        estimand.check(tally);
    } catch (const std::invalid_argument& contradiction) {
        refuse(contradiction.what());
    }
    return tally;
}

std::string other_commit_text(const Stored& stored, const BuildInfo& build) {
    if (stored.commit == build.commit && !stored.dirty && !build.dirty) {
        return "";
    }
    const auto text = [](const std::string& commit, bool dirty) {
        return commit.substr(0, 12) + (dirty ? " (modified)" : "");
    };
    return fmt::format("{} was begun with the program of commit {}; this is {}: they may differ", stored.path,
                       text(stored.commit, stored.dirty), text(build.commit, build.dirty));
}

}  // namespace bench
