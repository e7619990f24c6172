#include "bench/record/result_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "bench/options/output.hpp"
#include "bench/record/files.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

void replace(const fs::path& target, const std::string& text) {
    NewFile next(target, target.string());
    next.fill(text);
    next.file().close();
    next.replace_target();
}

}  // namespace

void write_result(const std::string& path, const std::string& text) {
    try {
        if (!is_special(path)) {
            replace(link_target(path), text);
            return;
        }
        File file(::open(path.c_str(), O_WRONLY), path);
        file.write(text);
        file.close();
    } catch (const fs::filesystem_error& error) {
        throw write_failure(path, error.code().value());
    }
}

void write_target(const std::string& target, const std::string& text) {
    if (target == "-") {
        write_stdout(text);
    } else {
        write_result(target, text);
    }
}

void check_writable(const std::string& path) {
    try {
        if (fs::is_directory(path)) {
            throw write_failure(path, EISDIR);
        }
        fs::path must_be_writable = path;
        if (!is_special(path)) {
            must_be_writable = folder_of(link_target(path));
            if (!fs::is_directory(must_be_writable)) {
                throw write_failure(path, fs::exists(must_be_writable) ? ENOTDIR : ENOENT);
            }
        }
        if (::access(must_be_writable.c_str(), W_OK) != 0) {
            throw write_failure(path, errno);
        }
    } catch (const fs::filesystem_error& error) {
        throw write_failure(path, error.code().value());
    }
}

void check_target(const std::string& target) {
    if (target != "-") check_writable(target);
}

}  // namespace bench
