#include "bench/record/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "bench/errors.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t schema = 4;

/// The last line of a checkpoint whose other lines are `body`.
std::string trailer(std::string_view body) {
    boost::crc_32_type crc;
    crc.process_bytes(body.data(), body.size());
    return fmt::format("CRC-32 {:08x}\n", crc.checksum());
}

/// Sums as decimal strings: numbers in JSON may lose precision beyond 2^53.
Json row_json(const Row& row) {
    Json sums = Json::array();
    for (const Uint128 sum : row) sums.push_back(fmt::format("{}", sum));
    return sums;
}

Json point_json(const Sums& sums) { return {sums.launches, row_json(sums.row)}; }

Json body_of(const Checkpoint& c) {
    Json shape = Json::object(), trace = Json::array();
    for (const auto& [name, value] : c.shape) shape[name] = value;
    for (const Sums& point : c.tally.marked) trace.push_back(point_json(point));
    return {{"schema", schema},
            {"kind", "checkpoint"},
            {"program", c.program},
            {"commit", c.commit},
            {"dirty", c.dirty},
            {"seed", c.seed},
            {"shape", shape},
            {"work_per_launch", c.work_per_launch},
            {"launches", c.launches},
            {"launches_done", c.launches_done()},
            {"sums", row_json(c.tally.sums.row)},
            {"least", row_json(c.tally.least)},
            {"most", row_json(c.tally.most)},
            {"fingerprints", c.tally.fingerprints.kept()},
            {"parts", c.tally.parts.sums()},
            {"trace", trace}};
}

/// An error in a text; parse_checkpoint adds the path.
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

/// Stricter than Json::get, which turns -1 and 0.5 into whole numbers.
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

Uint128 decimal(const Json& value, const char* name) {
    constexpr std::size_t most_digits = 38;  // always below 2^128
    const std::string digits = value.is_string() ? value.get<std::string>() : "";
    const bool fits = !digits.empty() && digits.size() <= most_digits;
    if (!fits || digits.find_first_not_of("0123456789") != std::string::npos) {
        throw Flaw{fmt::format("'{}' does not consist of whole numbers below 2^126", name)};
    }
    Uint128 number = 0;
    for (const char digit : digits) number = 10 * number + static_cast<unsigned>(digit - '0');
    return number;
}

Row read_row(const Json& json, const char* name) {
    if (!json.is_array()) throw Flaw{fmt::format("'{}' is not a list", name)};
    Row row;
    for (const Json& sum : json) row.push_back(decimal(sum, name));
    return row;
}

Row row_member(const Json& object, const char* key) { return read_row(member(object, key), key); }

/// A Fingerprints or PartPrints.
template <typename Prints>
Prints prints_member(const Json& object, const char* key) {
    const Json& json = member(object, key);
    if (!json.is_array() || json.size() > Prints::most)
        throw Flaw{fmt::format("'{}' is not a list of fingerprints", key)};
    std::vector<std::uint64_t> numbers;
    for (const Json& number : json) numbers.push_back(whole(number, key));
    Prints prints;
    prints.merge(numbers);
    return prints;
}

Sums read_point(const Json& json) {
    demand(json.is_array() && json.size() == 2, "'trace' does not consist of pairs");
    return {whole(json[0], "trace"), read_row(json[1], "trace")};
}

Checkpoint read(const Json& json) {
    Checkpoint c;
    c.program = string_member(json, "program");
    c.commit = string_member(json, "commit");
    c.dirty = flag_member(json, "dirty");
    c.seed = whole_member(json, "seed");
    demand(member(json, "shape").is_object(), "'shape' is not an object");
    for (const auto& [name, value] : json["shape"].items()) c.shape.emplace_back(name, whole(value, "shape"));
    c.work_per_launch = whole_member(json, "work_per_launch");
    c.launches = whole_member(json, "launches");
    c.tally.sums = {whole_member(json, "launches_done"), row_member(json, "sums")};
    c.tally.least = row_member(json, "least");
    c.tally.most = row_member(json, "most");
    c.tally.fingerprints = prints_member<Fingerprints>(json, "fingerprints");
    c.tally.parts = prints_member<PartPrints>(json, "parts");
    demand(member(json, "trace").is_array(), "'trace' is not a list");
    for (const Json& point : json["trace"]) c.tally.marked.push_back(read_point(point));
    return c;
}

/// Whether both rows have the same length and no sum of `a` exceeds that of `b`.
bool at_most(const Row& a, const Row& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), std::less_equal<>());
}

/// The sums with those traced sums alone of which `traced` has one each.
Sums first_of(const Sums& sums, const Row& traced) {
    const auto columns = std::min(sums.row.size(), traced.size());
    return {sums.launches, {sums.row.begin(), sums.row.begin() + static_cast<std::ptrdiff_t>(columns)}};
}

/// Whether launches with sums between `least` and `most` can add up to `sums`.
bool have_extremes(const Sums& sums, const Row& least, const Row& most) {
    if (sums.launches == 0) {
        return least.empty() && most.empty() &&
               std::all_of(sums.row.begin(), sums.row.end(), [](Uint128 sum) { return sum == 0; });
    }
    Row low = first_of(sums, least).row, high = low;  // the mean of a launch, rounded down and up
    for (Uint128& sum : low) sum /= sums.launches;
    for (Uint128& sum : high) sum = sum / sums.launches + (sum % sums.launches != 0);
    return at_most(least, low) && at_most(high, most);
}

void check_trace(const Checkpoint& c) {
    const Sums all = first_of(c.tally.sums, c.tally.least);
    Sums before = {0, Row(all.row.size())};
    for (const Sums& point : c.tally.marked) {
        demand(before.launches < point.launches && at_most(before.row, point.row), "its trace does not grow");
        before = point;
    }
    demand(before.launches <= all.launches && at_most(before.row, all.row) &&
               (before.launches < all.launches || before.row == all.row),
           "its trace does not lead to its sums");
}

/// Checks all but the meaning of the sums, which the estimand checks.
void check_consistency(const Checkpoint& c) {
    const auto goal = checked_product(c.launches, c.work_per_launch);
    demand(c.work_per_launch > 0 && c.launches > 0 && goal && *goal <= max_work,
           "its launches come to no work, or to more than 2^63");
    demand(c.launches_done() <= c.launches, "more launches are done than there are");
    demand(have_extremes(c.tally.sums, c.tally.least, c.tally.most), "its sums are not those of its launches");
    demand(c.tally.fingerprints.kept().size() == std::min<std::uint64_t>(c.launches_done(), Fingerprints::most),
           "its fingerprints are not those of its launches");
    check_trace(c);
}

/// The text without its last line, the checksum. Throws Flaw if the checksum does not match.
std::string_view verified_body(std::string_view text) {
    const std::size_t length = trailer({}).size();
    const std::size_t end = text.size() < length ? 0 : text.size() - length;
    demand(text.substr(end) == trailer(text.substr(0, end)),
           "damaged, or not a checkpoint: its checksum does not match");
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
    demand(to_text(checkpoint) == text, "not a checkpoint as this program writes it");  // repeated or unknown keys
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
