#include "bench/record/kept_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/errors.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

UsageError in_use(const std::string& path) { return UsageError(path + ": in use by another process"); }

UsageError cannot(const char* what, const std::string& path, int error) {
    return UsageError(fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

/// Locks a file that does not have its final name yet. Returns the errno value if its file system has no locks, or 0.
int lock_new(const File& file, const std::string& path) {
    const int error = lock(file);
    if (error != 0 && !has_no_locks(error)) {
        throw WriteError(fmt::format("cannot lock {}: {}", path, std::strerror(error)));
    }
    return error;
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
    if (descriptor >= 0 && lock(File(descriptor, path)) == EWOULDBLOCK) {
        return in_use(path);
    }
    return UsageError(fmt::format("{0}: exists already: --resume {0} continues it", path));
}

/// Renames a file to `target` without replacing another. Returns 0 or the errno value, EEXIST if `target` exists.
int move_to_new(const std::string& temporary, const fs::path& target) {
    if (::link(temporary.c_str(), target.c_str()) == 0) return 0;
    if (errno == EEXIST) return EEXIST;
    // FAT has no links, NFS no such rename.
    return ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
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
        std::string temporary = hidden_beside(target, "XXXXXX");  // until it is complete
        File file(::mkostemp(temporary.data(), O_CLOEXEC), path);
        const RemoveOnFailure other_name(temporary);  // removed in any case
        const int lock_error = lock_new(file, path);
        fill(file, target, text);
        if (const int error = move_to_new(temporary, target)) {
            if (error == EEXIST) throw existing(path);
            throw write_failure(path, error);
        }
        sync_folder(folder_of(target));
        return KeptFile(path, target, std::move(file), lock_error);
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
            if (descriptor < 0) throw cannot("open", path, errno);
            File file(descriptor, path);
            const int error = lock(file);
            if (error == EWOULDBLOCK) throw in_use(path);
            if (error != 0 && !has_no_locks(error)) throw cannot("lock", path, error);
            if (is_at(file, target)) return KeptFile(path, target, std::move(file), error);
        }
        throw in_use(path);
    } catch (const WriteError& error) {  // of links without an end
        throw UsageError(error.what());
    } catch (const fs::filesystem_error& error) {
        throw cannot("open", path, error.code().value());
    }
}

// The new file is locked, if there are locks, before it takes the name of the old one. So the file of that name is
// locked at every moment.
void KeptFile::save(const std::string& text) {
    if (!is_at(file_, target_) && ::access(target_.c_str(), F_OK) == 0) {
        throw WriteError(fmt::format("cannot write {}: another file was put in its place", path_));
    }
    const std::string temporary =
        hidden_beside(target_, "saving");  // a fixed name: killed processes leave one such file at most
    File file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), path_);
    lock_new(file, path_);
    RemoveOnFailure cleanup(temporary);
    file.truncate();
    fill(file, target_, text);
    if (::rename(temporary.c_str(), target_.c_str()) != 0) {
        throw write_failure(path_, errno);
    }
    cleanup.armed = false;
    std::swap(file_, file);
    sync_folder(folder_of(target_));
}

}  // namespace bench
