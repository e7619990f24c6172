#include "bench/record/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "bench/options/output.hpp"

namespace bench {

namespace fs = std::filesystem;

File::File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {
    if (descriptor_ < 0) throw write_failure(path_, errno);
}

File& File::operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(path_, other.path_);
    return *this;
}

File::~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void File::write(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(descriptor_, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw write_failure(path_, errno);
        done += static_cast<std::size_t>(n);
    }
}

void File::sync() { check(::fsync(descriptor_)); }

void File::close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    check(::close(descriptor));
}

int File::lock() {
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) return errno;
        if (errno != EINTR) throw WriteError(fmt::format("cannot lock {}: {}", path_, std::strerror(errno)));
    }
    return 0;
}

void File::check(int status) const {
    if (status != 0) throw write_failure(path_, errno);
}

fs::path link_target(const fs::path& path) {
    constexpr int most_links = 40;  // as the kernel's own limit: path_resolution(7)
    fs::path target = path;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target)); links++) {
        if (links == most_links) {
            throw fs::filesystem_error("links", path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
        }
        const fs::path next = fs::read_symlink(target);
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

bool is_special(const fs::path& path) {
    std::error_code ignored;
    const auto status = fs::status(path, ignored);
    return fs::exists(status) && !fs::is_regular_file(status);
}

namespace {

mode_t mode_for(const fs::path& target) {
    struct stat existing;
    if (::stat(target.c_str(), &existing) == 0) return existing.st_mode & 07777;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

void replace(const fs::path& target, const std::string& text) {
    NewFile next(target, target.string());
    next.fill(text);
    next.file().close();
    next.replace_target();
}

}  // namespace

NewFile::NewFile(const fs::path& target, const std::string& path, bool one_name)
    : target_(target),
      name_(folder_of(target) / fmt::format(".{}.{}", target.filename().string(), one_name ? "saving" : "XXXXXX")),
      path_(path),
      file_(one_name ? ::open(name_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600)
                     : ::mkostemp(name_.data(), O_CLOEXEC),
            path) {}

NewFile::~NewFile() { ::unlink(name_.c_str()); }

void NewFile::fill(const std::string& text) {
    ::fchmod(file_.descriptor(), mode_for(target_));  // if the file system has modes
    file_.write(text);
    file_.sync();
}

void NewFile::replace_target() {
    if (::rename(name_.c_str(), target_.c_str()) != 0) throw write_failure(path_, errno);
    sync_folder();
}

bool NewFile::become_target() {
    if (::link(name_.c_str(), target_.c_str()) == 0) {
        sync_folder();
        return true;
    }
    if (errno != EEXIST) throw write_failure(path_, errno);
    return false;
}

// Makes a new name durable, if the file system can. The file is complete either way.
void NewFile::sync_folder() const {
    const int descriptor = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

std::string read_file(const std::string& path) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20;  // a row of a million sums takes up to 50 MB
    refuse_special(path);
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) throw UsageError(fmt::format("cannot open {}: {}", path, error.message()));
    if (size > most_bytes) throw UsageError(path + ": too large for the record of a run");
    std::string text(size, '\0');
    if (!std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(size))) {
        throw UsageError(fmt::format("cannot read {}", path));
    }
    return text;
}

void refuse_special(const std::string& path) {
    if (is_special(path)) {
        throw UsageError(path + (fs::is_directory(path) ? ": is a folder" : ": is not a regular file"));
    }
}

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
        if (fs::is_directory(path)) throw write_failure(path, EISDIR);
        fs::path must_be_writable = path;
        if (!is_special(path)) {
            must_be_writable = folder_of(link_target(path));
            if (!fs::is_directory(must_be_writable)) {
                throw write_failure(path, fs::exists(must_be_writable) ? ENOTDIR : ENOENT);
            }
        }
        if (::access(must_be_writable.c_str(), W_OK) != 0) throw write_failure(path, errno);
    } catch (const fs::filesystem_error& error) {
        throw write_failure(path, error.code().value());
    }
}

void check_target(const std::string& target) {
    if (target != "-") check_writable(target);
}

}  // namespace bench
