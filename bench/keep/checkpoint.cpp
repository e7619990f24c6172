#include "bench/keep/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "bench/checked.hpp"
#include "bench/cli/errors.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t schema = 2;
constexpr std::uint64_t max_samples = std::uint64_t{1} << 63;

/// The last line of a checkpoint whose other lines are `body`.
std::string trailer(std::string_view body) {
    boost::crc_32_type crc;
    crc.process_bytes(body.data(), body.size());
    return fmt::format("CRC-32 {:08x}\n", crc.checksum());
}

Json pair_of(const Outcome& outcome) { return {outcome.samples, outcome.hits}; }

Json sums_json(const CountSums& sums) {
    return {{"count", sums.count},
            {"sum", sums.sum},
            {"sum_of_squares", fmt::format("{}", sums.sum_of_squares)},  // JSON's numbers may end at 2^53
            {"least", sums.least},
            {"most", sums.most}};
}

Json body_of(const Checkpoint& c) {
    Json shape = Json::object(), trace = Json::array();
    for (const auto& [name, value] : c.shape) shape[name] = value;
    for (const Outcome& point : c.tally.marked) trace.push_back(pair_of(point));
    return {{"schema", schema},
            {"kind", "checkpoint"},
            {"program", c.program},
            {"commit", c.commit},
            {"dirty", c.dirty},
            {"seed", c.seed},
            {"shape", shape},
            {"samples_per_launch", c.samples_per_launch},
            {"launches", c.launches},
            {"launches_done", c.launches_done},
            {"hits", c.tally.outcome.hits},
            {"samples", c.tally.outcome.samples},
            {"unit_hits", sums_json(c.tally.unit_hits)},
            {"launch_hits", sums_json(c.tally.launch_hits)},
            {"fingerprints", c.tally.fingerprints.kept()},
            {"trace", trace}};
}

/// What is wrong with a text; parse_checkpoint puts the path before it.
struct Flaw {
    std::string text;
};

void demand(bool holds, const char* otherwise) {
    if (!holds) throw Flaw{otherwise};
}

const Json& member(const Json& object, const char* key) {
    if (!object.is_object() || !object.contains(key)) throw Flaw{fmt::format("'{}' is missing", key)};
    return object[key];
}

/// Not Json::get alone, which turns -1 and 0.5 into whole numbers.
std::uint64_t whole(const Json& value, const char* name) {
    if (!value.is_number_unsigned()) throw Flaw{fmt::format("'{}' is not a whole number below 2^64", name)};
    return value.get<std::uint64_t>();
}

std::uint64_t whole_member(const Json& object, const char* key) { return whole(member(object, key), key); }

std::string string_member(const Json& object, const char* key) {
    const Json& value = member(object, key);
    if (!value.is_string()) throw Flaw{fmt::format("'{}' is not a string", key)};
    return value.get<std::string>();
}

bool flag_member(const Json& object, const char* key) {
    const Json& value = member(object, key);
    if (!value.is_boolean()) throw Flaw{fmt::format("'{}' is neither true nor false", key)};
    return value.get<bool>();
}

Uint128 decimal_member(const Json& object, const char* key) {
    constexpr std::size_t most_digits = 38;  // always below 2^128
    const std::string digits = string_member(object, key);
    const bool fits = !digits.empty() && digits.size() <= most_digits;
    if (!fits || digits.find_first_not_of("0123456789") != std::string::npos) {
        throw Flaw{fmt::format("'{}' is not a whole number below 2^126", key)};
    }
    Uint128 value = 0;
    for (const char digit : digits) value = 10 * value + static_cast<unsigned>(digit - '0');
    return value;
}

CountSums read_sums(const Json& json) {
    return {whole_member(json, "count"), whole_member(json, "sum"), decimal_member(json, "sum_of_squares"),
            whole_member(json, "least"), whole_member(json, "most")};
}

Fingerprints read_prints(const Json& json) {
    demand(json.is_array() && json.size() <= Fingerprints::most, "'fingerprints' is no list of them");
    std::vector<std::uint64_t> prints;
    for (const Json& print : json) prints.push_back(whole(print, "fingerprints"));
    Fingerprints fingerprints;
    fingerprints.merge(prints);
    return fingerprints;
}

Outcome read_point(const Json& json) {
    demand(json.is_array() && json.size() == 2, "'trace' holds more than pairs");
    return {whole(json[1], "trace"), whole(json[0], "trace")};
}

Checkpoint read(const Json& json) {
    Checkpoint c;
    c.program = string_member(json, "program");
    c.commit = string_member(json, "commit");
    c.dirty = flag_member(json, "dirty");
    c.seed = whole_member(json, "seed");
    demand(member(json, "shape").is_object(), "'shape' is no object");
    for (const auto& [name, value] : json["shape"].items()) c.shape.emplace_back(name, whole(value, "shape"));
    c.samples_per_launch = whole_member(json, "samples_per_launch");
    c.launches = whole_member(json, "launches");
    c.launches_done = whole_member(json, "launches_done");
    c.tally.outcome = {whole_member(json, "hits"), whole_member(json, "samples")};
    c.tally.unit_hits = read_sums(member(json, "unit_hits"));
    c.tally.launch_hits = read_sums(member(json, "launch_hits"));
    c.tally.fingerprints = read_prints(member(json, "fingerprints"));
    demand(member(json, "trace").is_array(), "'trace' is no list");
    for (const Json& point : json["trace"]) c.tally.marked.push_back(read_point(point));
    return c;
}

/// Whether a run that had come to `earlier` can have come to `later`, with as many samples or more.
bool leads_to(const Outcome& earlier, const Outcome& later) {
    return earlier.samples <= later.samples && earlier.hits <= later.hits &&
           later.hits - earlier.hits <= later.samples - earlier.samples;
}

/// Whether whole numbers can have these sums: n Q >= S^2 by Cauchy and Schwarz, and Q <= S^2 as none is negative.
bool are_sums(const CountSums& sums) {
    const Uint128 square = Uint128{sums.sum} * sums.sum;
    if (sums.count == 0) {
        return sums == CountSums{};
    }
    const Uint128 least = square / sums.count + (square % sums.count != 0);
    const bool has_mean = Uint128{sums.least} * sums.count <= sums.sum && sums.sum <= Uint128{sums.most} * sums.count;
    return least <= sums.sum_of_squares && sums.sum_of_squares <= square && has_mean;
}

void check_trace(const std::vector<Outcome>& trace, const Outcome& outcome, std::uint64_t samples_per_launch) {
    Outcome before;
    for (const Outcome& point : trace) {
        const bool grows = point.samples > before.samples && point.samples % samples_per_launch == 0;
        demand(grows && leads_to(before, point), "its trace is not that of a run");
        before = point;
    }
    demand(leads_to(before, outcome), "its trace does not lead to its hits");
}

void check_consistency(const Checkpoint& c) {
    const Outcome& outcome = c.tally.outcome;
    const CountSums& units = c.tally.unit_hits;
    const auto goal = checked_product(c.launches, c.samples_per_launch);
    demand(c.samples_per_launch > 0 && c.launches > 0 && goal && *goal <= max_samples,
           "its launches come to no samples, or to more than 2^63");
    demand(c.launches_done <= c.launches, "more launches are done than there are");
    demand(c.launches_done * c.samples_per_launch == outcome.samples, "its samples are not those of its launches");
    demand(outcome.hits <= outcome.samples, "it has more hits than samples");
    const bool of_launches =
        c.launches_done == 0 ? units.count == 0 : units.count > 0 && units.count % c.launches_done == 0;
    demand(of_launches && units.sum == outcome.hits && are_sums(units), "the sums in 'unit_hits' contradict its hits");
    const CountSums& launches = c.tally.launch_hits;
    demand(launches.count == c.launches_done && launches.sum == outcome.hits && are_sums(launches),
           "the sums in 'launch_hits' contradict its hits");
    demand(c.tally.fingerprints.kept().size() == std::min<std::uint64_t>(c.launches_done, Fingerprints::most),
           "its fingerprints are not those of its launches");
    check_trace(c.tally.marked, outcome, c.samples_per_launch);
}

/// The body of a text that is whole.
std::string_view verified_body(std::string_view text) {
    const std::size_t length = trailer({}).size();
    const std::size_t end = text.size() < length ? 0 : text.size() - length;
    demand(text.substr(end) == trailer(text.substr(0, end)), "damaged, or not a checkpoint: its checksum does not fit");
    return text.substr(0, end);
}

void check_kind(const Json& json) {
    demand(string_member(json, "kind") == "checkpoint", "not a checkpoint");
    const std::uint64_t other = whole_member(json, "schema");
    if (other != schema) {
        throw Flaw{fmt::format("a checkpoint of schema {}, but this program knows only schema {}", other, schema)};
    }
}

Checkpoint parse(const std::string& text) {
    const Json json = Json::parse(verified_body(text), nullptr, false);
    demand(!json.is_discarded(), "not a checkpoint: not JSON");
    check_kind(json);
    const Checkpoint checkpoint = read(json);
    check_consistency(checkpoint);
    demand(to_text(checkpoint) == text, "no checkpoint as this program writes it");  // keys given twice, unknown ones
    return checkpoint;
}

}  // namespace

std::string to_text(const Checkpoint& checkpoint) {
    const std::string body = body_of(checkpoint).dump(1) + "\n";
    return body + trailer(body);
}

Checkpoint parse_checkpoint(const std::string& path, const std::string& text) {
    try {
        return parse(text);
    } catch (const Flaw& flaw) {
        throw UsageError(fmt::format("{}: {}", path, flaw.text));
    }
}

}  // namespace bench
