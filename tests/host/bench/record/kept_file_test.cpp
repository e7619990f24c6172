// The file of a run is whole at every moment, and only one process can use it.
#include "bench/record/kept_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "tests/host/bench/record/poor_file_system.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using bench::KeptFile;
using bench::UsageError;
using bench::WriteError;
namespace fs = std::filesystem;

const std::string small(1'000, 's'), begun = "begun " + std::string(500, '\n'), large(1'000'000, 'l');

void expect_line(const std::string& line, const std::string& path, const std::string& part) {
    EXPECT_NE(line.find(path), std::string::npos) << line;
    EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks: " << part;
}

class KeptFiles : public InAFolder {
 protected:
    void expect_in_use(const std::string& file) const {
        expect_line(line_of<UsageError>([&] { KeptFile::open(file); }), file, "in use by another process");
        expect_line(line_of<UsageError>([&] { KeptFile::create(file, small); }), file, "in use");
    }
    void expect_holds(const std::string& text) const {
        KeptFile::open(path);
        EXPECT_EQ(bench::read_file(path), text);
    }

    using Names = std::vector<std::string>;
};

TEST_F(KeptFiles, IsCreatedSavedAndOpenedAgain) {
    {
        KeptFile file = KeptFile::create(path, begun);
        EXPECT_EQ(contents_of(path), begun);
        std::ofstream(folder / ".run.ck.saving") << std::string(10'000, 'x');  // left by a killed process
        file.save(small);
        EXPECT_EQ(bench::read_file(path), small);
    }
    EXPECT_EQ(contents_of(path), small);
    KeptFile file = KeptFile::open(path);
    file.save(large);
    EXPECT_EQ(contents_of(path), large);
    fs::remove(path);
    file.save(small);
    EXPECT_EQ(contents_of(path), small) << "a deleted file is written anew";
    expect_in_use(path);
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(KeptFiles, IsLockedWhileItIsHeld) {
    std::optional<KeptFile> file = KeptFile::create(path, begun);
    EXPECT_EQ(file->unlocked(), std::nullopt);
    expect_in_use(path);
    for (int i = 0; i < 50; i++) {
        file->save(i % 2 == 0 ? small : begun);
        expect_in_use(path);
    }
    EXPECT_EQ(contents_of(path), begun) << "those who were refused changed nothing";
    file.reset();
    file = KeptFile::open(path);
    expect_in_use(path);
    KeptFile moved = std::move(*file);
    file.reset();
    expect_in_use(path);
    EXPECT_EQ(names(), Names{"run.ck"});
}

// Between opening and locking, a new file may have replaced the old one, whose lock nobody holds.
TEST_F(KeptFiles, CannotBeOpenedBetweenSaves) {
    KeptFile file = KeptFile::create(path, begun);
    std::atomic<bool> done = false;
    std::thread saving([&] {
        while (!done) file.save(small);
    });
    int refused = 0;
    constexpr int attempts = 20'000;
    for (int i = 0; i < attempts; i++) {
        try {
            KeptFile::open(path);
        } catch (const UsageError& error) {
            refused += std::string(error.what()).find("in use") != std::string::npos;
        }
    }
    done = true;
    saving.join();
    EXPECT_EQ(refused, attempts);
}

TEST_F(KeptFiles, IsNotCreatedOverAnother) {
    KeptFile::create(path, small);
    expect_line(line_of<UsageError>([&] { KeptFile::create(path, begun); }), path, "--resume " + path);
    std::ofstream(folder / "notes.txt") << "mine\n";
    const std::string other = folder / "notes.txt";
    expect_line(line_of<UsageError>([&] { KeptFile::create(other, begun); }), other, "exists");
    EXPECT_EQ(contents_of(path), small);
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
        KeptFile::create(path, small);
        _exit(started ? 0 : 3);
    } catch (const bench::Error& error) {
        _exit(error.code());
    }
}

TEST_F(KeptFiles, IsCreatedByOneOnlyOfManyAtOnce) {
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
        expect_holds(small);
        EXPECT_EQ(names(), Names{"run.ck"});
        fs::remove(path);
    }
}

constexpr int without_locks[] = {ENOLCK, ENOSYS, EOPNOTSUPP};

TEST_F(KeptFiles, NeedsNoLocksButSaysWhyItHasNone) {
    for (const int error : without_locks) {
        const PoorFileSystem poor({.flock = error});
        KeptFile file = KeptFile::create(path, begun);
        EXPECT_EQ(file.unlocked(), std::strerror(error));
        file.save(small);
        expect_line(line_of<UsageError>([&] { KeptFile::create(path, begun); }), path, "exists");
        EXPECT_EQ(KeptFile::open(path).unlocked(), std::strerror(error));
        expect_holds(small);
        EXPECT_EQ(names(), Names{"run.ck"});
        fs::remove(path);
    }
}

TEST_F(KeptFiles, ALockThatFailsIsAnError) {
    KeptFile::create(path, small);
    const PoorFileSystem poor({.flock = EIO});
    expect_line(line_of<WriteError>([&] { KeptFile::open(path); }), path, std::strerror(EIO));
    expect_line(line_of<WriteError>([&] { KeptFile::create(folder / "new.ck", small); }), "new.ck", std::strerror(EIO));
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(KeptFiles, SurvivesAFullDisk) {
    KeptFile file = KeptFile::create(path, begun);
    {
        const NoRoom full;
        expect_line(line_of<WriteError>([&] { file.save(small); }), path, "cannot write");
        expect_line(line_of<WriteError>([&] { KeptFile::create(folder / "new.ck", small); }), "new.ck", "");
    }
    EXPECT_EQ(contents_of(path), begun);
    EXPECT_EQ(names(), Names{"run.ck"});
    expect_in_use(path);
    file.save(small);
    EXPECT_EQ(contents_of(path), small);
}

// A process is killed while it saves without a pause.
TEST_F(KeptFiles, SurvivesItsProcess) {
    for (int repeat = 0; repeat < 20; repeat++) {
        int ready[2];
        ASSERT_EQ(pipe(ready), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            KeptFile file = repeat == 0 ? KeptFile::create(path, small) : KeptFile::open(path);
            for (;;) {
                file.save(small);
                if (write(ready[1], "", 1) != 1) _exit(1);
            }
        }
        char byte;
        for (int saved = 0; saved <= repeat; saved++) EXPECT_EQ(read(ready[0], &byte, 1), 1);
        EXPECT_EQ(kill(child, SIGKILL), 0);
        EXPECT_EQ(waitpid(child, nullptr, 0), child);
        close(ready[0]);
        close(ready[1]);
        expect_holds(small);
        const Names left = names();
        EXPECT_TRUE(left == Names{"run.ck"} || left == (Names{".run.ck.saving", "run.ck"})) << left.size();
    }
    KeptFile::open(path).save(begun);
    expect_holds(begun);
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(KeptFiles, TooLargeIsNotRead) {
    std::ofstream(path, std::ios::binary) << small;
    fs::resize_file(path, (std::uintmax_t{256} << 20) + 1);  // without memory for it
    expect_line(line_of<UsageError>([&] { bench::read_file(path); }), path, "too large");
}

TEST_F(KeptFiles, WhereNoneCanBeIsRefused) {
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
        expect_line(line_of<UsageError>([&] { KeptFile::open(file); }), file, why);
        expect_line(line_of<bench::Error>([&] { KeptFile::create(file, small); }), file, why);
    }
    expect_line(line_of<UsageError>([&] { KeptFile::open(path); }), path, "No such file");
    EXPECT_EQ(names(), before);
}

TEST_F(KeptFiles, IsReachedThroughSymbolicLinks) {
    fs::create_directory(folder / "far");
    const std::string link = folder / "link", target = folder / "far" / "run.ck";
    fs::create_symlink("far/run.ck", link);
    {
        KeptFile file = KeptFile::create(link, begun);
        file.save(small);
        expect_in_use(link);
        expect_in_use(target);
    }
    {
        KeptFile file = KeptFile::open(link);
        EXPECT_EQ(bench::read_file(link), small);
        file.save(begun);
    }
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(contents_of(target), begun);
    EXPECT_EQ(names(), (Names{"far", "link"}));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "far"), fs::directory_iterator()), 1);
}

TEST_F(KeptFiles, AnotherFileInItsPlaceIsLeftAlone) {
    KeptFile file = KeptFile::create(path, begun);
    fs::remove(path);
    std::ofstream(path) << "another\n";
    expect_line(line_of<WriteError>([&] { file.save(small); }), path, "another file");
    EXPECT_EQ(contents_of(path), "another\n");
    EXPECT_EQ(names(), Names{"run.ck"});
}

TEST_F(KeptFiles, HasTheModeOfAnyNewFileAndKeepsIt) {
    const auto mode = [&] {
        struct stat status = {};
        EXPECT_EQ(stat(path.c_str(), &status), 0);
        return status.st_mode & 07777u;
    };
    const mode_t before = umask(027);
    KeptFile file = KeptFile::create(path, begun);
    umask(before);
    EXPECT_EQ(mode(), 0640u);
    ASSERT_EQ(chmod(path.c_str(), 0604), 0);
    file.save(small);
    EXPECT_EQ(mode(), 0604u);
}

}  // namespace
