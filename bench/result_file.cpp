#include "bench/result_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "bench/errors.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

WriteError failure(const std::string& path, int error) {
    return WriteError(fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

/// A file descriptor that is closed when it goes out of scope.
class File {
 public:
    File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {
        if (descriptor_ < 0) {
            throw failure(path_, errno);
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }

    void write(const std::string& text) {
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t n = ::write(descriptor_, text.data() + done, text.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw failure(path_, errno);
            done += static_cast<std::size_t>(n);
        }
    }
    void set_mode(mode_t mode) { check(::fchmod(descriptor_, mode)); }
    void sync() { check(::fsync(descriptor_)); }
    void close() {
        const int descriptor = descriptor_;
        descriptor_ = -1;
        check(::close(descriptor));
    }

 private:
    void check(int status) {
        if (status != 0) throw failure(path_, errno);
    }

    int descriptor_;
    std::string path_;
};

/// Removes a temporary file unless it was renamed.
struct RemoveOnFailure {
    std::string path;
    bool armed = true;
    ~RemoveOnFailure() {
        if (armed) ::unlink(path.c_str());
    }
};

/// The file behind symbolic links, also where it does not exist yet.
fs::path link_target(const fs::path& path) {
    constexpr int most_links = 40;  // as the kernel's own limit: path_resolution(7)
    fs::path target = path;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target)); links++) {
        if (links == most_links) {
            throw failure(path.string(), ELOOP);
        }
        const fs::path next = fs::read_symlink(target);
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

mode_t mode_for(const fs::path& target) {
    struct stat existing;
    if (::stat(target.c_str(), &existing) == 0) {
        return existing.st_mode & 07777;
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// Makes a rename durable, where the file system can; the file is whole either way.
void sync_folder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

void replace(const fs::path& target, const std::string& text) {
    std::string temporary = (folder_of(target) / fmt::format(".{}.XXXXXX", target.filename().string())).string();
    const int descriptor = ::mkstemp(temporary.data());
    if (descriptor < 0) {
        throw failure(target.string(), errno);
    }
    File file(descriptor, target.string());
    RemoveOnFailure cleanup{temporary};
    file.set_mode(mode_for(target));
    file.write(text);
    file.sync();
    file.close();
    if (::rename(temporary.c_str(), target.c_str()) != 0) {
        throw failure(target.string(), errno);
    }
    cleanup.armed = false;
    sync_folder(folder_of(target));
}

bool is_special(const fs::path& target) {
    std::error_code ignored;
    const auto status = fs::status(target, ignored);
    return fs::exists(status) && !fs::is_regular_file(status);
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
        throw failure(path, error.code().value());
    }
}

void check_writable(const std::string& path) {
    try {
        if (fs::is_directory(path)) {
            throw failure(path, EISDIR);
        }
        fs::path must_be_writable = path;
        if (!is_special(path)) {
            must_be_writable = folder_of(link_target(path));
            if (!fs::is_directory(must_be_writable)) {
                throw failure(path, fs::exists(must_be_writable) ? ENOTDIR : ENOENT);
            }
        }
        if (::access(must_be_writable.c_str(), W_OK) != 0) {
            throw failure(path, errno);
        }
    } catch (const fs::filesystem_error& error) {
        throw failure(path, error.code().value());
    }
}

void write_stdout(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw failure("standard output", errno);
    }
}

}  // namespace bench
