// A result file is complete at any time, whatever happens during a write. This program is linked with --wrap=rename, so
// that a test can act between writing and renaming.
#include "bench/record/result_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

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
    }
    void TearDown() override {
        on_rename = nullptr;
        fs::current_path(started_in);
        InAFolder::TearDown();
    }

    /// A file in this folder with these contents.
    fs::path file(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name, std::ios::binary) << text;
        return folder / name;
    }

    using Names = std::vector<std::string>;
    fs::path started_in;
};
using ResultFileDeathTest = ResultFile;

TEST_F(ResultFile, NewFile) {
    write_result(folder / "pi.json", "{}\n");
    EXPECT_EQ(contents(folder / "pi.json"), "{}\n");
    EXPECT_EQ(names(), Names{"pi.json"});
}

TEST_F(ResultFile, NewFileHasTheModeOfAnyNewFile) {
    const mode_t before = umask(027);
    write_result(folder / "pi.json", "{}\n");
    umask(before);
    EXPECT_EQ(mode_of(folder / "pi.json"), 0640u);
}

TEST_F(ResultFile, OldFileIsReplaced) {
    const fs::path path = file("pi.json", "old, and longer than the new one\n");
    write_result(path, "new\n");
    EXPECT_EQ(contents(path), "new\n");
    EXPECT_EQ(names(), Names{"pi.json"});
}

TEST_F(ResultFile, OldFileKeepsItsMode) {
    const fs::path path = file("pi.json", "old\n");
    for (const mode_t mode : {0600u, 0664u}) {
        ASSERT_EQ(chmod(path.c_str(), mode), 0);
        write_result(path, "new\n");
        EXPECT_EQ(mode_of(path), mode);
    }
}

TEST_F(ResultFile, AFileSystemWithoutModesWillDo) {
    const PoorFileSystem fat({.fchmod = EPERM});
    write_result(folder / "pi.json", "{}\n");
    EXPECT_EQ(contents(folder / "pi.json"), "{}\n");
}

TEST_F(ResultFile, LargeTextIsWrittenWhole) {
    const std::string text(5'000'000, 'x');
    write_result(folder / "pi.json", text);
    EXPECT_EQ(contents(folder / "pi.json"), text);
}

TEST_F(ResultFile, NameWithoutAFolderIsInTheWorkingFolder) {
    fs::current_path(folder);
    write_result("pi.json", "new\n");
    EXPECT_EQ(contents(folder / "pi.json"), "new\n");
    EXPECT_EQ(names(), Names{"pi.json"});
}

TEST_F(ResultFile, SymbolicLinkIsFollowed) {
    const fs::path target = file("target.json", "old\n"), link = folder / "pi.json";
    fs::create_symlink(target, link);
    write_result(link, "new\n");
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_FALSE(fs::is_symlink(target));
    EXPECT_EQ(contents(target), "new\n");
}

TEST_F(ResultFile, RelativeLinksAreRelativeToTheirOwnFolder) {
    fs::create_directory(folder / "below");
    fs::create_symlink("below/second.json", folder / "pi.json");
    fs::create_symlink("../target.json", folder / "below" / "second.json");
    const fs::path target = file("target.json", "old\n");
    write_result(folder / "pi.json", "new\n");
    EXPECT_EQ(contents(target), "new\n");
    EXPECT_TRUE(fs::is_symlink(folder / "pi.json"));
    EXPECT_TRUE(fs::is_symlink(folder / "below" / "second.json"));
    EXPECT_EQ(names(), (Names{"below", "pi.json", "target.json"}));
}

TEST_F(ResultFile, DanglingLinkIsFollowedToANewFile) {
    fs::create_symlink("target.json", folder / "pi.json");
    write_result(folder / "pi.json", "new\n");
    EXPECT_TRUE(fs::is_symlink(folder / "pi.json"));
    EXPECT_EQ(contents(folder / "target.json"), "new\n");
}

TEST_F(ResultFile, LinkInACircleIsAnError) {
    fs::create_symlink("b", folder / "a");
    fs::create_symlink("a", folder / "b");
    EXPECT_THROW(write_result(folder / "a", "new\n"), WriteError);
    EXPECT_EQ(names(), (Names{"a", "b"}));
}

TEST_F(ResultFile, MissingFolderIsAnError) {
    EXPECT_THROW(write_result(folder / "missing" / "pi.json", "new\n"), WriteError);
    EXPECT_TRUE(names().empty());
}

TEST_F(ResultFile, PathUnderAFileIsAnError) {
    const fs::path path = file("file", "old\n");
    EXPECT_THROW(write_result(path / "pi.json", "new\n"), WriteError);
    EXPECT_EQ(contents(path), "old\n");
    EXPECT_EQ(names(), Names{"file"});
}

TEST_F(ResultFile, FolderAsTargetIsAnError) {
    fs::create_directory(folder / "pi.json");
    EXPECT_THROW(write_result(folder / "pi.json", "new\n"), WriteError);
    EXPECT_TRUE(fs::is_directory(folder / "pi.json"));
    EXPECT_EQ(names(), Names{"pi.json"});
}

TEST_F(ResultFile, ErrorSaysWhereInOneLine) {
    const std::string path = folder / "missing" / "pi.json";
    try {
        write_result(path, "new\n");
        FAIL() << "written";
    } catch (const WriteError& error) {
        const std::string line = error.what();
        EXPECT_NE(line.find(path), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        EXPECT_EQ(error.code(), 5);
    }
}

TEST_F(ResultFile, PipeIsWrittenStraightInto) {
    const fs::path pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    write_result(pipe, "new\n");
    char buffer[16] = {};
    EXPECT_EQ(read(reader, buffer, sizeof buffer), 4);
    EXPECT_STREQ(buffer, "new\n");
    close(reader);
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_EQ(names(), Names{"pipe"});
}

/// Refuses every rename: as root, it would replace a device by a file, for the whole machine.
int refuse(const char*, const char* to) {
    ADD_FAILURE() << "renamed to " << to;
    errno = EPERM;
    return -1;
}

TEST_F(ResultFile, DevNullIsWrittenStraightInto) {
    on_rename = refuse;
    EXPECT_NO_THROW(write_result("/dev/null", "new\n"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ResultFile, FullDeviceIsAnErrorAndStaysADevice) {
    if (!fs::is_character_file("/dev/full")) {
        GTEST_SKIP() << "no /dev/full here";
    }
    on_rename = refuse;
    EXPECT_THROW(write_result("/dev/full", "new\n"), WriteError);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    fs::create_symlink("/dev/full", folder / "pi.json");
    EXPECT_THROW(write_result(folder / "pi.json", "new\n"), WriteError);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_EQ(names(), Names{"pi.json"});
}

std::string renamed_text, renamed_to;

TEST_F(ResultFile, WhatIsRenamedIsTheWholeTextInTheSameFolder) {
    const fs::path path = file("pi.json", "old\n");
    on_rename = [](const char* from, const char* to) {
        EXPECT_EQ(fs::path(from).parent_path(), fs::path(to).parent_path());
        renamed_text = contents(from);
        renamed_to = to;
        return __real_rename(from, to);
    };
    write_result(path, "new\n");
    EXPECT_EQ(renamed_text, "new\n");
    EXPECT_EQ(renamed_to, path);
    EXPECT_EQ(contents(path), "new\n");
}

TEST_F(ResultFile, RenamingThatFailsLeavesTheOldFileAndNothingElse) {
    const fs::path path = file("pi.json", "old\n");
    on_rename = [](const char*, const char*) {
        errno = EIO;
        return -1;
    };
    EXPECT_THROW(write_result(path, "new\n"), WriteError);
    EXPECT_EQ(contents(path), "old\n");
    EXPECT_EQ(names(), Names{"pi.json"});
}

TEST_F(ResultFileDeathTest, KilledBetweenWritingAndRenamingLeavesTheOldFileWhole) {
    const fs::path path = file("pi.json", "old\n");
    const auto write_and_be_killed = [&] {
        on_rename = [](const char*, const char*) { return raise(SIGKILL); };
        write_result(path, "new\n");
        _exit(0);
    };
    EXPECT_EXIT(write_and_be_killed(), testing::KilledBySignal(SIGKILL), "");
    EXPECT_EQ(contents(path), "old\n");
    write_result(path, "new\n");
    EXPECT_EQ(contents(path), "new\n") << "what the killed one left behind is in nobody's way";
}

TEST_F(ResultFileDeathTest, FullDiskLeavesTheOldFileAndNothingElse) {
    const fs::path path = file("pi.json", "old\n");
    const auto write_to_full_disk = [&] {
        signal(SIGXFSZ, SIG_IGN);  // writing beyond the limit is then the error EFBIG
        const rlimit limit = {1000, 1000};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
            _exit(1);
        }
        try {
            write_result(path, std::string(5'000, 'x'));
        } catch (const WriteError&) {
            _exit(5);
        }
        _exit(0);
    };
    EXPECT_EXIT(write_to_full_disk(), testing::ExitedWithCode(5), "");
    EXPECT_EQ(contents(path), "old\n");
    EXPECT_EQ(names(), Names{"pi.json"});
}

TEST_F(ResultFileDeathTest, FullStdoutIsAnError) {
    if (!fs::is_character_file("/dev/full")) {
        GTEST_SKIP() << "no /dev/full here";
    }
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

TEST_F(ResultFile, CheckAcceptsWhatCanBeWrittenAndTouchesNothing) {
    const fs::path old = file("old.json", "old\n");
    fs::create_symlink("target.json", folder / "dangling.json");
    EXPECT_NO_THROW(check_writable(folder / "new.json"));
    EXPECT_NO_THROW(check_writable(old));
    EXPECT_NO_THROW(check_writable(folder / "dangling.json"));
    EXPECT_NO_THROW(check_writable("/dev/null"));
    fs::current_path(folder);
    EXPECT_NO_THROW(check_writable("new.json"));
    EXPECT_EQ(contents(old), "old\n");
    EXPECT_EQ(names(), (Names{"dangling.json", "old.json"}));
}

TEST_F(ResultFile, CheckFindsAMissingFolder) {
    EXPECT_THROW(check_writable(folder / "missing" / "pi.json"), WriteError);
    EXPECT_TRUE(names().empty());
}

TEST_F(ResultFile, CheckFindsAPathUnderAFile) {
    EXPECT_THROW(check_writable(file("file", "old\n") / "pi.json"), WriteError);
}

TEST_F(ResultFile, CheckFindsThatTheTargetIsAFolder) { EXPECT_THROW(check_writable(folder), WriteError); }

TEST_F(ResultFile, CheckFindsALinkIntoAMissingFolder) {
    fs::create_symlink("missing/pi.json", folder / "pi.json");
    EXPECT_THROW(check_writable(folder / "pi.json"), WriteError);
}

TEST_F(ResultFile, CheckFindsALinkInACircle) {
    fs::create_symlink("pi.json", folder / "pi.json");
    EXPECT_THROW(check_writable(folder / "pi.json"), WriteError);
}

TEST_F(ResultFile, CheckFindsAFolderThatIsNotWritable) {
    if (geteuid() == 0) {
        GTEST_SKIP() << "root may write anywhere";
    }
    fs::create_directory(folder / "closed");
    fs::permissions(folder / "closed", fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THROW(check_writable(folder / "closed" / "pi.json"), WriteError);
    EXPECT_THROW(write_result(folder / "closed" / "pi.json", "new\n"), WriteError);
}

}  // namespace
