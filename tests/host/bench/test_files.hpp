// A full disk, a folder for the files of a test, and the text of errors.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

/// While this lives, no file can grow beyond a hundred bytes.
class NoRoom {
 public:
    NoRoom() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
        const rlimit limit = {100, before_.rlim_max};
        EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    }
    NoRoom(const NoRoom&) = delete;
    NoRoom& operator=(const NoRoom&) = delete;
    ~NoRoom() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

 private:
    void (*handler_)(int);
    rlimit before_ = {};
};

/// Tests with a temporary folder.
class InAFolder : public testing::Test {
 protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "harness_XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr) << name;
        folder = name;
        path = (folder / "run.ck").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            result.push_back(entry.path().filename());
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    std::filesystem::path folder;
    std::string path;  // of a checkpoint that is not there yet
};

/// The one line of the Exception that `action` throws; empty, and a failure, if it throws none.
template <class Exception>
std::string line_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Exception& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}

inline std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}
