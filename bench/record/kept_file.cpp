#include "bench/record/kept_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bench/errors.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

UsageError in_use(const std::string& path) { return UsageError(path + ": in use by another process"); }

UsageError cannot_open(const std::string& path, int error) {
    return UsageError(fmt::format("cannot open {}: {}", path, std::strerror(error)));
}

/// Whether `target` names this file.
bool is_at(const File& file, const fs::path& target) {
    struct stat own, named;
    return ::stat(target.c_str(), &named) == 0 && ::fstat(file.descriptor(), &own) == 0 && own.st_dev == named.st_dev &&
           own.st_ino == named.st_ino;
}

/// The error for a new file in place of an existing one.
UsageError existing(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor >= 0 && File(descriptor, path).lock() == EWOULDBLOCK) {
        return in_use(path);
    }
    return UsageError(fmt::format("{0}: exists already: --resume {0} continues it", path));
}

}  // namespace

KeptFile::KeptFile(std::string path, fs::path target, File file, int lock_error)
    : path_(std::move(path)), target_(std::move(target)), file_(std::move(file)) {
    if (lock_error != 0) unlocked_ = std::strerror(lock_error);
}

KeptFile KeptFile::create(const std::string& path, const std::string& text) {
    try {
        refuse_special(path);
        if (fs::exists(path)) {
            throw existing(path);
        }
        const fs::path target = link_target(path);
        NewFile next(target, path);
        const int lock_error = next.file().lock();
        next.fill(text);
        if (!next.become_target()) throw existing(path);
        return KeptFile(path, target, std::move(next.file()), lock_error);
    } catch (const fs::filesystem_error& error) {
        throw write_failure(path, error.code().value());
    }
}

// Between opening and locking, the process that held the file may have replaced it and closed this one: then try again.
KeptFile KeptFile::open(const std::string& path) {
    constexpr int attempts = 5;
    try {
        refuse_special(path);
        const fs::path target = link_target(path);
        for (int i = 0; i < attempts; i++) {
            const int descriptor = ::open(target.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
            if (descriptor < 0) throw cannot_open(path, errno);
            File file(descriptor, path);
            const int error = file.lock();
            if (error == EWOULDBLOCK) throw in_use(path);
            if (is_at(file, target)) return KeptFile(path, target, std::move(file), error);
        }
        throw in_use(path);
    } catch (const fs::filesystem_error& error) {
        throw cannot_open(path, error.code().value());
    }
}

// The new file is locked, if there are locks, before it takes the name of the old one. So the file of that name is
// locked at every moment.
void KeptFile::save(const std::string& text) {
    if (!is_at(file_, target_) && ::access(target_.c_str(), F_OK) == 0) {
        throw WriteError(fmt::format("cannot write {}: another file was put in its place", path_));
    }
    NewFile next(target_, path_, /*one_name=*/true);
    next.file().lock();
    next.fill(text);
    next.replace_target();
    std::swap(file_, next.file());
}

}  // namespace bench
