// A stored run is read back unchanged or refused, whatever happened to its text.
#include "bench/record/stored.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/record/json.hpp"
#include "tests/host/bench/record/sample_runs.hpp"
#include "tests/host/bench/sample_tallies.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::read_stored;
using bench::Record;
using bench::Stored;
using bench::Tally;
using bench::to_stored;
using bench::UsageError;
using Json = nlohmann::ordered_json;

/// CRC-32 as of ISO 3309, bit by bit.
std::string crc32(const std::string& text) {
    std::uint32_t crc = ~std::uint32_t{0};
    for (const char c : text) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
    }
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(~crc));
    return digits;
}

constexpr std::uint64_t all = std::uint64_t{1} << 63;

/// No launches on blocks of one thread, one or two of them.
Tally none(std::uint64_t work, unsigned blocks) {
    bench::LaunchSpec spec = sample_tallies::spec_of({{1, 2}}, work, blocks);
    spec.shape = {blocks, 1};
    spec.streams = blocks;
    return Tally(sample_tallies::estimand_of({{1, 2}}), spec);
}

/// Launches that hit 7, 8 and 9 times in twenty samples.
Tally three() {
    Tally tally = none(20, 2);
    for (const bench::Count hits : {4u, 5u, 6u}) tally.add(std::vector<bench::Count>{3, hits});
    return tally;
}

/// Launches 2, 3 and 4 of nine.
Record small(const Tally& tally = three()) {
    Record run = sample_runs::run();
    run.program = "pi_v7_odd";
    run.own = {{"odd", ""}, {"steps", "64"}};
    run.tally = tally;
    run.ranges = {{2, 2 + tally.launches()}};
    run.goal = 9;
    return run;
}

Record before_the_first() {
    Record run = small(three().empty());
    run.measured = {};
    return run;
}

/// 2^63 units of work in one launch.
Record largest() {
    const bench::Count hits = all / 2;
    Tally tally = none(all, 1);
    tally.add({&hits, 1});
    Record run = small(tally);
    run.ranges = {{UINT64_MAX - 1, UINT64_MAX}};
    run.goal = 1;
    return run;
}

/// The text of the small run with a change and the right checksum.
std::string forged(const std::function<void(Json&)>& change) {
    Json json = Json::parse(to_stored(small()));
    json.erase("checksum");
    change(json);
    json["checksum"] = crc32(json.dump());
    return json.dump(1) + "\n";
}

std::string forged_tally(const std::string& key, const Json& value) {
    return forged([&](Json& json) { json["runs"][0]["tally"][key] = value; });
}

/// Asserts that a text is refused in one line with this complaint.
void expect_refused(const std::string& text, const std::string& complaint) {
    const std::string line = line_of<UsageError>([&] { read_stored("run.json", text); });
    EXPECT_EQ(line.find("run.json: "), 0u) << line;
    EXPECT_NE(line.find(complaint), std::string::npos) << line << "\nlacks: " << complaint;
}

void expect_same(const Tally::State& a, const Tally::State& b) {
    EXPECT_TRUE(a.sums == b.sums && a.least == b.least && a.most == b.most && a.marked == b.marked);
    EXPECT_EQ(a.fingerprints.kept(), b.fingerprints.kept());
    EXPECT_EQ(a.parts.sums(), b.parts.sums());
}

TEST(Stored, ComesBackAsItWas) {
    EXPECT_EQ(crc32("123456789"), "cbf43926") << "the check value of the standard";
    for (const Record& run : {small(), before_the_first(), largest()}) {
        const Stored stored = read_stored("run.json", to_stored(run));
        EXPECT_EQ(stored.path, "run.json");
        EXPECT_EQ(stored.program, "pi_v7_odd");
        EXPECT_EQ(stored.own, run.own);
        EXPECT_EQ(stored.commit, run.context.build.commit);
        EXPECT_TRUE(stored.dirty);
        EXPECT_EQ(stored.goal, run.goal);
        ASSERT_EQ(stored.ranges.size(), 1u);
        EXPECT_EQ(stored.ranges[0].first, run.ranges[0].first);
        EXPECT_EQ(stored.ranges[0].end, run.ranges[0].end);
        EXPECT_EQ(stored.spec.seed, run.tally.spec().seed);
        EXPECT_EQ(stored.spec.work, run.tally.spec().work);
        EXPECT_EQ(stored.launches_done(), run.tally.launches());
        expect_same(stored.tally, run.tally.state());
    }
}

TEST(Stored, IsTheResultWithItsTally) {
    Json stored = Json::parse(to_stored(small())), result = Json::parse(bench::to_json(small()));
    const Json state = stored["runs"][0]["tally"]["state"];
    const Json sums_and_least = {3, 3, 24, 0, 104, 0, 194, 0, 3, 7, 0, 25, 0, 49, 0};
    EXPECT_EQ(Json(state.begin(), state.begin() + 15), sums_and_least);
    stored["runs"][0].erase("tally");
    stored.erase("checksum");
    EXPECT_EQ(stored, result);
    EXPECT_EQ(Json::parse(to_stored(before_the_first()))["runs"][0]["outcome"], nullptr) << "there is none yet";
}

/// Whether a text is refused, or means what the small run does: white space may change.
bool is_found_or_harmless(const std::string& text) {
    try {
        read_stored("run.json", text);
        return Json::parse(text) == Json::parse(to_stored(small()));
    } catch (const UsageError& error) {
        return std::string(error.what()).find("run.json: ") == 0;
    }
}

TEST(Stored, OfWhichAnyByteChangedOrIsMissingIsDamaged) {
    const std::string whole = to_stored(small());
    for (std::size_t i = 0; i < whole.size(); i += 3) {
        for (int bit = 0; bit < 8; bit++) {
            std::string text = whole;
            text[i] = static_cast<char>(text[i] ^ (1 << bit));
            ASSERT_TRUE(is_found_or_harmless(text))
                << "bit " << bit << " of byte " << i << ": " << text.substr(i > 20 ? i - 20 : 0, 40);
        }
        expect_refused(whole.substr(0, i), "damaged");
    }
    expect_refused(whole + whole, "damaged");
    for (const char* text : {"", "\n", "no JSON\n", "{\n", "[]\n", "1\n", "null\n"}) expect_refused(text, "damaged");
}

TEST(Stored, OtherFilesAreRefusedByName) {
    expect_refused(bench::to_json(small()), "not a record with its tally");
    expect_refused("{\n \"schema\": 4,\n \"kind\": \"checkpoint\",\n \"program\": \"pi_v7\"\n}\nCRC-32 0123abcd\n",
                   "a checkpoint of an older version");
}

TEST(Stored, WithWhatNoRunHasIsRefused) {
    const Json tally = Json::parse(to_stored(small()))["runs"][0]["tally"];
    for (const auto& [key, unused] : tally.items()) {
        const std::string name = key;  // clang 14 captures no structured binding
        expect_refused(forged([&](Json& json) { json["runs"][0]["tally"].erase(name); }), "not a record");
        if (name != "program") expect_refused(forged_tally(name, "odd"), "");
    }
    const std::pair<const char*, const char*> table[] = {
        {"goal", "2"},
        {"work_per_launch", "0"},
        {"state", "[]"},
        {"state", "[3, 1, 24]"},
        {"state", "[3, 9223372036854775809, 24, 0]"},
        {"state", "[3, 1, 24, 9223372036854775808, 0, 0, 3, 1, 2, 3, 0]"},
        {"state", "[3, 1, 24, 0, 0, 0, 2, 1, 2, 0]"},
        {"state", "[2, 1, 24, 0, 0, 0, 2, 1, 2, 0]"},
        {"ranges", "[[2, 3], [2, 4]]"},
        {"ranges", "[[4, 2]]"},
        {"ranges", "[[2, 10000]]"},
    };
    for (const auto& [key, value] : table) {
        SCOPED_TRACE(std::string(key) + ": " + value);
        expect_refused(forged_tally(key, Json::parse(value)), "");
    }
}

/// Why a stored run is none of `program` and `none`.
std::string refusal(const Stored& stored, const Tally& none = three().empty(),
                    const std::string& program = "pi_v7_odd") {
    return line_of<UsageError>([&] { bench::tally_of(stored, program, none); });
}

TEST(Stored, IsTakenForItsOwnProgramSeedAndShapeAlone) {
    const Stored stored = read_stored("run.json", to_stored(small()));
    expect_same(bench::tally_of(stored, "pi_v7_odd", three()).state(), three().state());
    EXPECT_EQ(refusal(stored, three(), "pi_v8"), "run.json: holds a run of pi_v7_odd, not of pi_v8");
    const std::function<void(bench::LaunchSpec&)> changes[] = {
        [](auto& spec) { spec.seed++; },
        [](auto& spec) {
            spec.shape = {7, 1};
        },
        [](auto& spec) { spec.iters++; }, [](auto& spec) { spec.streams++; }, [](auto& spec) { spec.work++; }};
    for (const auto& change : changes) {
        bench::LaunchSpec spec = three().spec();
        change(spec);
        EXPECT_EQ(refusal(stored, Tally(three().estimand(), spec)).find("run.json: holds "), 0u);
    }
}

TEST(Stored, WithSumsThatItsLaunchesCannotHaveIsRefused) {
    const std::pair<std::function<void(Tally::State&)>, const char*> table[] = {
        {[](Tally::State& t) {
             t.parts.merge(std::vector<std::uint64_t>{1, 2, 3});
         },
         "its launches have other sums"},
        {[](Tally::State& t) { t.sums.row.push_back(0); }, "its launches have other sums"},
        {[](Tally::State& t) { t.least.pop_back(); }, "its launches have other sums"},
        {[](Tally::State& t) { t.marked[0].row.pop_back(); }, "its launches have other sums"},
        {[](Tally::State& t) { t.sums.row[2] = 1, t.marked.clear(); }, "sums of squares"}};
    for (const auto& [change, complaint] : table) {
        Stored stored = read_stored("run.json", to_stored(small()));
        change(stored.tally);
        const std::string line = refusal(stored);
        EXPECT_NE(line.find(complaint), std::string::npos) << line;
    }
}

// One commit may have many modified programs.
TEST(Stored, SaysWhereAnotherProgramBeganIt) {
    Stored stored;
    stored.path = "run.json";
    const struct {
        const char* first;
        bool first_dirty;
        const char* second;
        bool second_dirty;
        std::string told;
    } table[] = {{"one", false, "one", false, ""},
                 {"one", false, "two", false, "commit one; this is two:"},
                 {"one", true, "one", false, "commit one (modified); this is one:"},
                 {"one", false, "one", true, "commit one; this is one (modified):"}};
    for (const auto& [first, first_dirty, second, second_dirty, told] : table) {
        stored.commit = first;
        stored.dirty = first_dirty;
        const std::string text = bench::other_commit_text(stored, {second, second_dirty, "", "", true});
        EXPECT_EQ(text.empty(), told.empty());
        EXPECT_NE(text.find(told), std::string::npos) << text;
    }
}

}  // namespace
