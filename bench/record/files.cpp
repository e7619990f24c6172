#include "bench/record/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace bench {

namespace fs = std::filesystem;

File::File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {
    if (descriptor_ < 0) {
        throw write_failure(path_, errno);
    }
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

void File::truncate() { check(::ftruncate(descriptor_, 0)); }
void File::set_mode(mode_t mode) { ::fchmod(descriptor_, mode); }
void File::sync() { check(::fsync(descriptor_)); }

void File::close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    check(::close(descriptor));
}

void File::check(int status) const {
    if (status != 0) throw write_failure(path_, errno);
}

RemoveOnFailure::~RemoveOnFailure() {
    if (armed) ::unlink(path.c_str());
}

fs::path link_target(const fs::path& path) {
    constexpr int most_links = 40;  // as the kernel's own limit: path_resolution(7)
    fs::path target = path;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target)); links++) {
        if (links == most_links) {
            throw write_failure(path.string(), ELOOP);
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

std::string hidden_beside(const fs::path& target, const char* suffix) {
    return (folder_of(target) / fmt::format(".{}.{}", target.filename().string(), suffix)).string();
}

namespace {

mode_t mode_for(const fs::path& target) {
    struct stat existing;
    if (::stat(target.c_str(), &existing) == 0) {
        return existing.st_mode & 07777;
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

void fill(File& file, const fs::path& target, const std::string& text) {
    file.set_mode(mode_for(target));
    file.write(text);
    file.sync();
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

int lock(const File& file) {
    while (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

bool has_no_locks(int error) { return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP; }

void sync_folder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);
        ::close(descriptor);
    }
}

}  // namespace bench
