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
    const std::string text = as_text(document);
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    return fmt::format("{:08x}", crc.checksum());
}

Json tally_json(const Record& run) {
    Json ranges = Json::array();
    for (const Range& range : run.ranges) ranges.push_back({range.first, range.end});
    return {{"program", run.program},
            {"options", Json(run.own)},
            {"ranges", ranges},
            {"goal", run.goal},
            {"work_per_launch", run.tally.spec().work},
            {"state", words_of(run.tally.state())}};
}

/// What `read` makes of a file. Throws UsageError, which names it, where that finds a flaw.
template <typename Read>
auto of_file(const std::string& path, Read read) {
    try {
        return read();
    } catch (const std::invalid_argument& flaw) {
        throw UsageError(fmt::format("{}: {}", path, flaw.what()));
    } catch (const nlohmann::json::exception&) {
        throw UsageError(fmt::format("{}: not a record as this program writes it", path));
    }
}

Tally::State state_in(const Json& tally, std::uint64_t launches) {
    Tally::State state = state_of(tally.at("state").get<std::vector<std::uint64_t>>());
    demand(state.sums.launches == launches, "its sums are not those of its launches");
    demand(state.fingerprints.kept().size() == std::min<std::uint64_t>(launches, Fingerprints::most),
           "its fingerprints are not those of its launches");
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
                     state_in(tally, launches)};
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

void demand_launches_of(const LaunchSpec& spec, const Stored& stored) {
    const LaunchSpec& own = stored.spec;
    demand(own.seed == spec.seed, fmt::format("holds a run of seed {}, not {}", own.seed, spec.seed));
    demand((stored.on_cpu || own.shape == spec.shape) && own.iters == spec.iters && own.streams == spec.streams &&
               own.work == spec.work,
           "holds launches of another shape");
}

/// Demands sums of as many columns and parts as those of `none`.
void demand_size_of(const Tally& none, const Tally::State& state) {
    const bool none_done = state.sums.launches == 0;
    const std::size_t traced = none_done ? 0 : none.estimand().traced();
    const auto fits = [&](const Row& row) { return row.size() == traced; };
    const bool all_fit =
        state.sums.row.size() == none.estimand().width() && fits(state.least) && fits(state.most) &&
        state.parts.sums().size() == (none_done ? 0 : none.followed_parts()) &&
        std::all_of(state.marked.begin(), state.marked.end(), [&](const Sums& point) { return fits(point.row); });
    demand(all_fit, "its launches have other sums");
}

}  // namespace

std::string to_stored(const Record& run) {
    Json document = document_of(run);
    document["runs"][0]["tally"] = tally_json(run);
    document["checksum"] = checksum(document);
    return as_text(document, 1) + "\n";
}

Stored read_stored(const std::string& path, const std::string& text) {
    return of_file(path, [&] { return stored_of(path, verified(text)); });
}

Tally tally_of(const Stored& stored, const std::string& program, const Tally& none) {
    return of_file(stored.path, [&] {
        demand(stored.program == program, fmt::format("holds a run of {}, not of {}", stored.program, program));
        demand_launches_of(none.spec(), stored);
        demand_size_of(none, stored.tally);
        Tally tally = none.empty();
        tally.restore(stored.tally);
        none.estimand().check(tally);
        return tally;
    });
}

std::string other_commit_text(const Stored& stored, const BuildInfo& build) {
    if (stored.commit == build.commit && !stored.dirty && !build.dirty) {
        return "";
    }
    return fmt::format("{} was begun with the program of commit {:.12}{}; this is {:.12}{}: they may differ",
                       stored.path, stored.commit, stored.dirty ? " (modified)" : "", build.commit,
                       build.dirty ? " (modified)" : "");
}

}  // namespace bench
