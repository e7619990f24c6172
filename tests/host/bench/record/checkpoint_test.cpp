// A checkpoint is read back unchanged or refused, whatever happened to its file. Only one process can use the file.
#include "bench/record/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/record/checkpoint_file.hpp"
#include "bench/whole_numbers.hpp"
#include "tests/host/bench/record/poor_file_system.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::Checkpoint;
using bench::CheckpointFile;
using bench::parse_checkpoint;
using bench::to_text;
using bench::UsageError;
using bench::WriteError;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Three launches of ten units of work that add 7, 8 and 9 to one sum and their squares to another.
Checkpoint small() {
    bench::Fingerprints prints;
    prints.merge(std::vector<std::uint64_t>{300, 100, 200});
    bench::PartPrints parts;
    parts.merge(std::vector<std::uint64_t>{18446744073709551615u, 6});
    return {"pi_v7",
            "0123abc",
            true,
            1234,
            {{"blocks", 1}, {"threads", 2}, {"iters", 5}},
            10,
            9,
            {{3, {24, 194}}, {7, 49}, {9, 81}, prints, parts, {{1, {7, 49}}, {2, {15, 113}}, {3, {24, 194}}}}};
}

/// CRC-32 as of ISO 3309, bit by bit.
std::uint32_t crc32(const std::string& text) {
    std::uint32_t crc = ~std::uint32_t{0};
    for (const char c : text) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/// A text with the right checksum, whatever its content.
std::string sealed(const std::string& body) {
    char trailer[32];
    std::snprintf(trailer, sizeof trailer, "CRC-32 %08x\n", static_cast<unsigned>(crc32(body)));
    return body + trailer;
}

const Json small_json = Json::parse(R"({"schema": 4, "kind": "checkpoint", "program": "pi_v7", "commit": "0123abc",
    "dirty": true, "seed": 1234, "shape": {"blocks": 1, "threads": 2, "iters": 5}, "work_per_launch": 10, "launches": 9,
    "launches_done": 3, "sums": ["24", "194"], "least": ["7", "49"], "most": ["9", "81"],
    "fingerprints": [100, 200, 300], "parts": [18446744073709551615, 6],
    "trace": [[1, ["7", "49"]], [2, ["15", "113"]], [3, ["24", "194"]]]})");
const std::string small_text = sealed(small_json.dump(1) + "\n");

/// The text of the small checkpoint with a change and the right checksum.
std::string forged(const std::function<void(Json&)>& change) {
    Json json = small_json;
    change(json);
    return sealed(json.dump(1) + "\n");
}

/// The checkpoint of a run of `launches` launches before the first.
Checkpoint begun(std::uint64_t launches) {
    Checkpoint c = small();
    c.launches = launches;
    c.tally = {};
    return c;
}

/// 2^63 units of work in one launch, all of which count.
Checkpoint largest() {
    constexpr std::uint64_t all = std::uint64_t{1} << 63;
    const bench::Row row = {all, bench::Uint128{all} * all};
    bench::Fingerprints prints;
    prints.add(all);
    return {"pi_cpu",
            "",
            false,
            UINT64_MAX,
            {{"streams", all}, {"iters", 1}},
            all,
            1,
            {{1, row}, row, row, prints, {}, {{1, row}}}};
}

/// Asserts that two checkpoints are the same; the text of one holds all of it.
void expect_same(const Checkpoint& a, const Checkpoint& b) { EXPECT_EQ(to_text(a), to_text(b)); }

void expect_line(const std::string& line, const std::string& path, const std::string& part) {
    EXPECT_NE(line.find(path), std::string::npos) << line;
    EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks: " << part;
}

/// Whether `text` is refused as damaged, in one line that names its file.
bool found_damaged(const std::string& text) {
    try {
        parse_checkpoint("run.ck", text);
        return false;
    } catch (const UsageError& error) {
        const std::string line = error.what();
        return line.find("run.ck: damaged") == 0 && line.find('\n') == std::string::npos;
    }
}

TEST(Checkpoint, IsReadableAndComesBackAsItWas) {
    EXPECT_EQ(crc32("123456789"), 0xcbf43926u) << "the check value of the standard";
    EXPECT_EQ(to_text(small()), small_text);
    for (const Checkpoint& c : {small(), begun(1), largest()}) {
        expect_same(parse_checkpoint("run.ck", to_text(c)), c);
    }
}

TEST(Checkpoint, OfWhichAnyByteChangedOrIsMissingIsDamaged) {
    for (std::size_t i = 0; i < small_text.size(); i++) {
        for (int bit = 0; bit < 8; bit++) {
            std::string text = small_text;
            text[i] = static_cast<char>(text[i] ^ (1 << bit));
            ASSERT_TRUE(found_damaged(text)) << "bit " << bit << " of byte " << i;
        }
        ASSERT_TRUE(found_damaged(small_text.substr(0, i))) << i << " bytes";
    }
    for (int byte = 0; byte < 256; byte++) {
        ASSERT_TRUE(found_damaged(small_text + static_cast<char>(byte))) << byte;
    }
    EXPECT_TRUE(found_damaged(small_text + small_text));
    EXPECT_TRUE(found_damaged("{\"schema\": 1, \"suite\": \"pi\"}\n")) << "a result file";
}

/// Asserts that a text is refused in one line with this complaint.
void expect_refused(const std::string& text, const std::string& complaint) {
    expect_line(line_of<UsageError>([&] { parse_checkpoint("run.ck", text); }), "run.ck: ", complaint);
}

TEST(Checkpoint, WithARightChecksumMustStillBeOne) {
    for (const std::string body : {"", "\n", "no JSON\n", "{\n", "[]\n", "1\n", "null\n", "{\"kind\": 1}\n"}) {
        expect_refused(sealed(body), "");
    }
    expect_refused(forged([](Json& json) {
                       json = {{"schema", 1}, {"kind", "checkpoint"}, {"what", "else"}};
                   }),
                   "schema 1");
    for (const auto& [key, unused] : small_json.items()) {
        const std::string name = key;  // clang 14 captures no structured binding
        expect_refused(forged([&](Json& json) { json.erase(name); }), name);
        for (const Json& odd : {Json(nullptr), Json(-1), Json(0.5), Json::array({1}), Json(true)}) {
            if (name == "parts" && odd.is_array()) continue;  // their number is that of the run's blocks
            if (name == "dirty" && odd.is_boolean()) continue;
            expect_refused(forged([&](Json& json) { json[name] = odd; }), "");
        }
    }
    std::string twice = small_json.dump(1) + "\n";
    twice.replace(twice.find(" \"seed\""), 0, " \"seed\": 1,\n");
    expect_refused(sealed(twice), "as this program writes it");
}

TEST(Checkpoint, WithNumbersThatAreNoneOrContradictEachOtherIsRefused) {
    const Json first = {1, {"7", "49"}}, second = {2, {"15", "113"}};
    const std::uint64_t two_to_63 = std::uint64_t{1} << 63;
    const struct {
        const char* key;
        Json value;
        const char* complaint;
    } table[] = {
        {"sums", {"24", 194}, "sums"},
        {"sums", {"24", ""}, "sums"},
        {"sums", {"24", "-194"}, "sums"},
        {"sums", {"24", "1e2"}, "sums"},
        {"sums", {"24", std::string(39, '9')}, "sums"},
        {"sums", {"24", "0194"}, "as this program writes it"},
        {"seed", 18446744073709551616.0, "seed"},
        {"seed", "1234", "seed"},
        {"shape", {{"iters", -5}}, "shape"},
        {"trace", {first, 5}, "trace"},
        {"trace", {first, {1, 2, 3}}, "trace"},
        {"trace", {first, {2, {"15", 113}}}, "trace"},
        {"more", 1, "as this program writes it"},
        {"launches", 2, "more launches are done"},
        {"launches", 0, "no work"},
        {"launches", two_to_63 / 10 + 1, "2^63"},
        {"launches", UINT64_MAX, "2^63"},
        {"work_per_launch", 0, "no work"},
        {"launches_done", 0, "sums"},
        {"launches_done", 2, "sums"},           // 9 and 9 are less than 24
        {"launches_done", 4, "sums"},           // four times 7 are more
        {"sums", Json::array({"24"}), "sums"},  // fewer than of a launch
        {"sums", {"20", "194"}, "sums"},
        {"sums", {"28", "194"}, "sums"},
        {"least", {"9", "49"}, "sums"},  // 3 times 9 are more than 24
        {"least", Json::array(), "sums"},
        {"most", {"7", "81"}, "sums"},
        {"most", {"9", "81", "1"}, "sums"},
        {"fingerprints", {100, 200}, "fingerprints"},
        {"fingerprints", {100, 200, 300, 400}, "fingerprints"},
        {"fingerprints", {200, 100, 300}, "as this program writes it"},
        {"trace", {first, first}, "trace"},
        {"trace", {second, first}, "trace"},
        {"trace", {first, {2, {"6", "113"}}}, "trace"},
        {"trace", {first, {2, Json::array({"15"})}}, "trace"},
        {"trace", Json::array({{1, {"25", "49"}}}), "trace"},
        {"trace", {first, second, {3, {"24", "193"}}}, "trace"},  // all launches, but other sums
        {"trace", Json::array({{4, {"24", "194"}}}), "trace"},
    };
    for (const auto& row : table) {
        SCOPED_TRACE(std::string(row.key) + ": " + row.value.dump());
        expect_refused(forged([&](Json& json) { json[row.key] = row.value; }), row.complaint);
    }
}

class CheckpointFiles : public InAFolder {
 protected:
    void expect_in_use(const std::string& file) const {
        expect_line(line_of<UsageError>([&] { CheckpointFile::open(file); }), file, "in use by another process");
        expect_line(line_of<UsageError>([&] { CheckpointFile::create(file, small()); }), file, "in use");
    }
    void expect_holds(const Checkpoint& expected) const { expect_same(CheckpointFile::open(path).load(), expected); }
    void expect_held_by_one_process();
    void expect_created_by_one_of_many();

    using Names = std::vector<std::string>;
};

TEST_F(CheckpointFiles, IsCreatedSavedAndOpenedAgain) {
    {
        CheckpointFile file = CheckpointFile::create(path, begun(9));
        EXPECT_EQ(contents_of(path), to_text(begun(9)));
        std::ofstream(folder / ".run.ck.saving") << std::string(10'000, 'x');  // left by a killed process
        file.save(small());
        expect_same(file.load(), small());
    }
    EXPECT_EQ(contents_of(path), small_text);
    CheckpointFile file = CheckpointFile::open(path);
    expect_same(file.load(), small());
    file.save(largest());
    EXPECT_EQ(contents_of(path), to_text(largest()));
    fs::remove(path);
    file.save(small());
    EXPECT_EQ(contents_of(path), small_text) << "a deleted file is written anew";
    expect_in_use(path);
    EXPECT_EQ(names(), Names{"run.ck"});
}

void CheckpointFiles::expect_held_by_one_process() {
    std::optional<CheckpointFile> file = CheckpointFile::create(path, begun(9));
    EXPECT_EQ(file->unlocked(), std::nullopt);
    expect_in_use(path);
    for (int i = 0; i < 50; i++) {
        file->save(i % 2 == 0 ? small() : begun(9));
        expect_in_use(path);
    }
    EXPECT_EQ(contents_of(path), to_text(begun(9))) << "those who were refused changed nothing";
    file.reset();
    file = CheckpointFile::open(path);
    expect_in_use(path);
    CheckpointFile moved = std::move(*file);
    file.reset();
    expect_in_use(path);
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(CheckpointFiles, IsLockedWhileItIsHeld) { expect_held_by_one_process(); }

// Between opening and locking, a new file may have replaced the old one, whose lock nobody holds.
TEST_F(CheckpointFiles, CannotBeOpenedBetweenSaves) {
    CheckpointFile file = CheckpointFile::create(path, begun(9));
    std::atomic<bool> done = false;
    std::thread saving([&] {
        while (!done) file.save(small());
    });
    int refused = 0;
    constexpr int attempts = 20'000;
    for (int i = 0; i < attempts; i++) {
        try {
            CheckpointFile::open(path);
        } catch (const UsageError& error) {
            refused += std::string(error.what()).find("in use") != std::string::npos;
        }
    }
    done = true;
    saving.join();
    EXPECT_EQ(refused, attempts);
}

TEST_F(CheckpointFiles, IsNotCreatedOverAnother) {
    CheckpointFile::create(path, small());
    expect_line(line_of<UsageError>([&] { CheckpointFile::create(path, begun(9)); }), path, "--resume " + path);
    std::ofstream(folder / "notes.txt") << "mine\n";
    const std::string other = folder / "notes.txt";
    expect_line(line_of<UsageError>([&] { CheckpointFile::create(other, begun(9)); }), other, "exists");
    EXPECT_EQ(contents_of(path), small_text);
    EXPECT_EQ(contents_of(other), "mine\n");
    EXPECT_EQ(names(), (Names{"notes.txt", "run.ck"}));
}

/// A child process that creates the file once `start` is closed. It exits with 0 if it succeeded, with 2 if the file
/// existed.
pid_t creator(const std::string& path, const int (&start)[2]) {
    const pid_t child = fork();
    if (child != 0) return child;
    close(start[1]);
    char byte;
    const bool started = read(start[0], &byte, 1) == 0;
    try {
        CheckpointFile::create(path, small());
        _exit(started ? 0 : 3);
    } catch (const bench::Error& error) {
        _exit(error.code());
    }
}

void CheckpointFiles::expect_created_by_one_of_many() {
    for (int repeat = 0; repeat < 100; repeat++) {
        int start[2];
        ASSERT_EQ(pipe(start), 0);
        const pid_t children[] = {creator(path, start), creator(path, start), creator(path, start)};
        close(start[0]);
        close(start[1]);
        std::vector<int> ended;
        for (const pid_t child : children) {
            int status = -1;
            EXPECT_EQ(waitpid(child, &status, 0), child);
            ended.push_back(WEXITSTATUS(status));
        }
        std::sort(ended.begin(), ended.end());
        EXPECT_EQ(ended, (std::vector<int>{0, 2, 2}));
        expect_holds(small());
        EXPECT_EQ(names(), Names{"run.ck"});
        fs::remove(path);
    }
}

TEST_F(CheckpointFiles, IsCreatedByOneOnlyOfManyAtOnce) { expect_created_by_one_of_many(); }

constexpr Lacking fat = {.link = EPERM, .fchmod = EPERM};
constexpr int without_locks[] = {ENOLCK, ENOSYS, EOPNOTSUPP};

TEST_F(CheckpointFiles, NeedsNoHardLinks) {
    const PoorFileSystem poor(fat);
    expect_held_by_one_process();
    fs::remove(path);
    expect_created_by_one_of_many();
}

TEST_F(CheckpointFiles, NeedsNoFlock) {
    for (const int error : without_locks) {
        const PoorFileSystem poor({.flock = error});
        expect_held_by_one_process();
        fs::remove(path);
    }
}

TEST_F(CheckpointFiles, NeedsNoLocksButSaysWhyItHasNone) {
    for (const int error : without_locks) {
        const PoorFileSystem poor({.link = EPERM, .flock = error, .fcntl_lock = error});
        CheckpointFile file = CheckpointFile::create(path, begun(9));
        EXPECT_EQ(file.unlocked(), std::strerror(error));
        file.save(small());
        expect_line(line_of<UsageError>([&] { CheckpointFile::create(path, begun(9)); }), path, "exists");
        EXPECT_EQ(CheckpointFile::open(path).unlocked(), std::strerror(error));
        expect_holds(small());
        EXPECT_EQ(names(), Names{"run.ck"});
        fs::remove(path);
    }
}

TEST_F(CheckpointFiles, ALockThatFailsIsAnError) {
    CheckpointFile::create(path, small());
    const PoorFileSystem poor({.flock = EIO});
    expect_line(line_of<UsageError>([&] { CheckpointFile::open(path); }), path, std::strerror(EIO));
    expect_line(line_of<WriteError>([&] { CheckpointFile::create(folder / "new.ck", small()); }), "new.ck",
                std::strerror(EIO));
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(CheckpointFiles, SurvivesAFullDisk) {
    CheckpointFile file = CheckpointFile::create(path, begun(9));
    {
        const NoRoom full;
        expect_line(line_of<WriteError>([&] { file.save(small()); }), path, "cannot write");
        expect_line(line_of<WriteError>([&] { CheckpointFile::create(folder / "new.ck", small()); }), "new.ck", "");
    }
    EXPECT_EQ(contents_of(path), to_text(begun(9)));
    EXPECT_EQ(names(), Names{"run.ck"});
    expect_in_use(path);
    file.save(small());
    EXPECT_EQ(contents_of(path), small_text);
}

// A process is killed while it saves without a pause.
TEST_F(CheckpointFiles, SurvivesItsProcess) {
    for (int repeat = 0; repeat < 20; repeat++) {
        int ready[2];
        ASSERT_EQ(pipe(ready), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            CheckpointFile file = repeat == 0 ? CheckpointFile::create(path, small()) : CheckpointFile::open(path);
            for (;;) {
                file.save(small());
                if (write(ready[1], "", 1) != 1) _exit(1);
            }
        }
        char byte;
        for (int saved = 0; saved <= repeat; saved++) EXPECT_EQ(read(ready[0], &byte, 1), 1);
        EXPECT_EQ(kill(child, SIGKILL), 0);
        EXPECT_EQ(waitpid(child, nullptr, 0), child);
        close(ready[0]);
        close(ready[1]);
        expect_holds(small());
        const Names left = names();
        EXPECT_TRUE(left == Names{"run.ck"} || left == (Names{".run.ck.saving", "run.ck"})) << left.size();
    }
    CheckpointFile::open(path).save(begun(9));
    expect_holds(begun(9));
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(CheckpointFiles, DamagedIsRefusedAndLeftAsItIs) {
    const std::string half = small_text.substr(0, 100);
    std::ofstream(path, std::ios::binary) << half;
    expect_line(line_of<UsageError>([&] { CheckpointFile::open(path).load(); }), path, "damaged");
    EXPECT_EQ(contents_of(path), half);
    fs::resize_file(path, (std::uintmax_t{256} << 20) + 1);  // without memory for it
    expect_line(line_of<UsageError>([&] { CheckpointFile::open(path).load(); }), path, "too large");
}

TEST_F(CheckpointFiles, WhereNoneCanBeIsRefused) {
    ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    const Names before = names();
    const std::pair<std::string, const char*> table[] = {
        {folder, "is a folder"},
        {"/dev/null", "is not a regular file"},
        {folder / "fifo", "is not a regular file"},
        {folder / "none" / "run.ck", "No such file"},
        {folder / "a", "Too many levels"},
    };
    for (const auto& [name, why] : table) {
        const std::string& file = name;  // clang 14 captures no structured binding
        expect_line(line_of<UsageError>([&] { CheckpointFile::open(file); }), file, why);
        expect_line(line_of<bench::Error>([&] { CheckpointFile::create(file, small()); }), file, why);
    }
    expect_line(line_of<UsageError>([&] { CheckpointFile::open(path); }), path, "No such file");
    EXPECT_EQ(names(), before);
}

TEST_F(CheckpointFiles, IsReachedThroughSymbolicLinks) {
    fs::create_directory(folder / "far");
    const std::string link = folder / "link", target = folder / "far" / "run.ck";
    fs::create_symlink("far/run.ck", link);
    {
        CheckpointFile file = CheckpointFile::create(link, begun(9));
        file.save(small());
        expect_in_use(link);
        expect_in_use(target);
    }
    {
        CheckpointFile file = CheckpointFile::open(link);
        expect_same(file.load(), small());
        file.save(begun(9));
    }
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(contents_of(target), to_text(begun(9)));
    EXPECT_EQ(names(), (Names{"far", "link"}));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "far"), fs::directory_iterator()), 1);
}

TEST_F(CheckpointFiles, AnotherFileInItsPlaceIsLeftAlone) {
    CheckpointFile file = CheckpointFile::create(path, begun(9));
    fs::remove(path);
    std::ofstream(path) << "another\n";
    expect_line(line_of<WriteError>([&] { file.save(small()); }), path, "another file");
    EXPECT_EQ(contents_of(path), "another\n");
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(CheckpointFiles, HasTheModeOfAnyNewFileAndKeepsIt) {
    const auto mode = [&] {
        struct stat status = {};
        EXPECT_EQ(stat(path.c_str(), &status), 0);
        return status.st_mode & 07777u;
    };
    const mode_t before = umask(027);
    CheckpointFile file = CheckpointFile::create(path, begun(9));
    umask(before);
    EXPECT_EQ(mode(), 0640u);
    ASSERT_EQ(chmod(path.c_str(), 0604), 0);
    file.save(small());
    EXPECT_EQ(mode(), 0604u);
}

}  // namespace
