// A result file is complete at any time, whatever happens during a write. This program is linked with --wrap=rename, so
// that a test can act between writing and renaming.
#include "bench/record/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "bench/errors.hpp"
#include "bench/options/output.hpp"
#include "tests/host/bench/record/poor_file_system.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

int (*on_rename)(const char* from, const char* to) = nullptr;

}  // namespace

extern "C" {
int __real_rename(const char* from, const char* to);
int __wrap_rename(const char* from, const char* to);

int __wrap_rename(const char* from, const char* to) {
    return on_rename != nullptr ? on_rename(from, to) : __real_rename(from, to);
}
}

namespace {

using bench::check_writable;
using bench::write_result;
using bench::WriteError;
namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 07777u;
}

class ResultFile : public InAFolder {
 protected:
    void SetUp() override {
        InAFolder::SetUp();
        started_in = fs::current_path();
        fs::current_path(folder);
        std::ofstream("old.json") << "old\n";
    }
    void TearDown() override {
        on_rename = nullptr;
        fs::current_path(started_in);
        InAFolder::TearDown();
    }
    void expect_old_file_alone() const {
        EXPECT_EQ(contents_of("old.json"), "old\n");
        EXPECT_EQ(names(), std::vector<std::string>{"old.json"});
    }

    fs::path started_in;
};
using ResultFileDeathTest = ResultFile;

TEST_F(ResultFile, IsWrittenWhereThePathLeadsAndNowhereElse) {
    fs::create_directory("below");
    fs::create_symlink("old.json", "link.json");
    fs::create_symlink("below/second.json", "chain.json");
    fs::create_symlink("../old.json", "below/second.json");  // relative to its own folder
    fs::create_symlink("dangled.json", "dangling.json");
    std::string text = "shorter";
    for (const auto& [path, target] : {std::pair("old.json", "old.json"),
                                       {"link.json", "old.json"},
                                       {"chain.json", "old.json"},
                                       {"dangling.json", "dangled.json"},
                                       {"new.json", "new.json"}}) {
        for (const fs::path& written : {folder / path, fs::path(path)}) {
            SCOPED_TRACE(written);
            const auto before = names();
            const std::string old = fs::exists(target) ? contents_of(target) : "none";
            EXPECT_NO_THROW(check_writable(written));
            EXPECT_EQ(names(), before);
            EXPECT_EQ(fs::exists(target) ? contents_of(target) : "none", old);
            write_result(written, text);
            EXPECT_EQ(contents_of(target), text);
            EXPECT_FALSE(fs::is_symlink(target));
            EXPECT_EQ(fs::is_symlink(path), path != std::string(target));
            std::set<std::string> after(before.begin(), before.end());
            after.insert(target);
            EXPECT_EQ(names(), std::vector<std::string>(after.begin(), after.end()));
            text += std::string(500'000, 'x');
        }
    }
}

TEST_F(ResultFile, WhereNoneCanBeIsAnErrorInOneLineThatACheckFinds) {
    fs::create_directory("folder");
    fs::create_symlink("b", "a");
    fs::create_symlink("a", "b");
    fs::create_symlink("missing/pi.json", "lost");
    const auto before = names();
    for (const char* path : {"missing/pi.json", "old.json/pi.json", "folder", "a", "lost"}) {
        for (const auto act : {+[](const std::string& to) { write_result(to, "new\n"); }, +check_writable}) {
            const std::string line = line_of<WriteError>([&] { act(folder / path); });
            EXPECT_EQ(line.find("cannot write " + folder.string()), 0u) << path << ": " << line;
        }
    }
    EXPECT_EQ(names(), before);
    EXPECT_EQ(contents_of("old.json"), "old\n");
}

TEST_F(ResultFile, InAClosedFolderIsAnErrorThatACheckFinds) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
    fs::create_directory("closed");
    fs::permissions("closed", fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THROW(check_writable("closed/pi.json"), WriteError);
    EXPECT_THROW(write_result("closed/pi.json", "new\n"), WriteError);
}

TEST_F(ResultFile, HasTheModeOfAnyNewFileAndAnOldOneKeepsIts) {
    const mode_t before = umask(027);
    write_result("new.json", "{}\n");
    umask(before);
    EXPECT_EQ(mode_of("new.json"), 0640u);
    for (const mode_t mode : {0600u, 0664u}) {
        ASSERT_EQ(chmod("old.json", mode), 0);
        write_result("old.json", "new\n");
        EXPECT_EQ(mode_of("old.json"), mode);
    }
    const PoorFileSystem fat({.fchmod = EPERM});
    write_result("old.json", "without modes\n");
    EXPECT_EQ(contents_of("old.json"), "without modes\n");
}

/// Refuses every rename: as root, it would replace a device by a file, for the whole machine.
int refuse(const char*, const char* to) {
    ADD_FAILURE() << "renamed to " << to;
    errno = EPERM;
    return -1;
}

TEST_F(ResultFile, PipesAndDevicesAreWrittenStraightInto) {
    on_rename = refuse;
    ASSERT_EQ(mkfifo("pipe", 0600), 0);
    const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    write_result("pipe", "new\n");
    char buffer[16] = {};
    EXPECT_EQ(read(reader, buffer, sizeof buffer), 4);
    EXPECT_STREQ(buffer, "new\n");
    close(reader);
    EXPECT_TRUE(fs::is_fifo("pipe"));
    EXPECT_NO_THROW(check_writable("/dev/null"));
    EXPECT_NO_THROW(write_result("/dev/null", "new\n"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    fs::create_symlink("/dev/full", "full.json");
    for (const char* full : {"/dev/full", "full.json"}) EXPECT_THROW(write_result(full, "new\n"), WriteError) << full;
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_EQ(names(), (std::vector<std::string>{"full.json", "old.json", "pipe"}));
}

std::string renamed;

// So a process that is killed before leaves the old file whole.
TEST_F(ResultFile, WhatIsRenamedIsTheWholeTextInTheSameFolder) {
    on_rename = [](const char* from, const char* to) {
        EXPECT_EQ(contents_of(to), "old\n");
        EXPECT_EQ(fs::path(from).parent_path(), fs::path(to).parent_path());
        renamed = to + (": " + contents_of(from));
        return __real_rename(from, to);
    };
    write_result(folder / "old.json", "new\n");
    EXPECT_EQ(renamed, (folder / "old.json").string() + ": new\n");
    EXPECT_EQ(contents_of("old.json"), "new\n");
}

TEST_F(ResultFile, AFailureLeavesTheOldFileAndNothingElse) {
    on_rename = [](const char*, const char*) {
        errno = EIO;
        return -1;
    };
    EXPECT_THROW(write_result("old.json", "new\n"), WriteError);
    expect_old_file_alone();
    on_rename = nullptr;
    {
        const NoRoom full;
        EXPECT_THROW(write_result("old.json", std::string(5'000, 'x')), WriteError);
    }
    expect_old_file_alone();
}

TEST_F(ResultFileDeathTest, FullStdoutIsAnError) {
    const auto write_to_full_stdout = [] {
        dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
        try {
            bench::write_stdout("new\n");
        } catch (const WriteError&) {
            _exit(5);
        }
        _exit(0);
    };
    EXPECT_EXIT(write_to_full_stdout(), testing::ExitedWithCode(5), "");
}

}  // namespace
