#include "bench/record/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
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

constexpr std::size_t max_bytes = std::size_t{256} << 20;  // of a checkpoint; a row of a million sums takes up to 50 MB

UsageError refusal(const std::string& path, const std::string& why) {
    return UsageError(fmt::format("{}: {}", path, why));
}

UsageError in_use(const std::string& path) { return refusal(path, "in use by another process"); }

UsageError cannot(const char* what, const std::string& path, int error) {
    return UsageError(fmt::format("cannot {} {}: {}", what, path, std::strerror(error)));
}

/// Calls `function` again as long as signals interrupt it. Returns 0 or the errno value.
template <typename Function>
int error_of(const Function& function) {
    while (function() != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

/// Whether an errno value means that the file system has no such locks.
bool has_no_locks(int error) { return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP; }

/// Locks a file against other processes until its descriptor is closed: with flock, or with fcntl if the file system
/// has no flock. Returns 0 or the errno value, EWOULDBLOCK if another process holds the lock.
int lock(const File& file) {
    const int error = error_of([&] { return ::flock(file.descriptor(), LOCK_EX | LOCK_NB); });
    if (!has_no_locks(error)) {
        return error;
    }
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return error_of([&] { return ::fcntl(file.descriptor(), F_OFD_SETLK, &whole); });
}

/// Why a file is not locked, if its file system has no locks.
std::optional<std::string> cause_of(int error) {
    return has_no_locks(error) ? std::optional(std::strerror(error)) : std::nullopt;
}

/// Locks a file that does not have its final name yet. Returns why it is not locked, if its file system has no locks.
std::optional<std::string> lock_new(const File& file, const std::string& path) {
    const int error = lock(file);
    if (error != 0 && !has_no_locks(error)) {
        throw WriteError(fmt::format("cannot lock {}: {}", path, std::strerror(error)));
    }
    return cause_of(error);
}

/// Whether `target` names this file.
bool is_at(const File& file, const fs::path& target) {
    struct stat own, named;
    return ::stat(target.c_str(), &named) == 0 && ::fstat(file.descriptor(), &own) == 0 && own.st_dev == named.st_dev &&
           own.st_ino == named.st_ino;
}

void refuse_special(const std::string& path) {
    if (is_special(path)) {
        throw refusal(path, fs::is_directory(path) ? "is a folder" : "is not a regular file");
    }
}

/// The error for a new checkpoint in place of an existing file.
UsageError existing(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor >= 0 && lock(File(descriptor, path)) == EWOULDBLOCK) {
        return in_use(path);
    }
    return refusal(path, fmt::format("exists already: --resume {} continues it", path));
}

/// Renames a file to `target` without replacing another. Returns 0 or the errno value, EEXIST if `target` exists.
int move_to_new(const std::string& temporary, const fs::path& target) {
    if (::link(temporary.c_str(), target.c_str()) == 0) return 0;
    if (errno == EEXIST) return EEXIST;
    // The file system has no hard links (FAT), or the next call gives the cause. An empty file reserves the name until
    // the rename.
    const int descriptor = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return errno;
    ::close(descriptor);
    if (::rename(temporary.c_str(), target.c_str()) == 0) return 0;
    const int error = errno;
    ::unlink(target.c_str());
    return error;
}

}  // namespace

CheckpointFile CheckpointFile::create(const std::string& path, const Checkpoint& checkpoint) {
    try {
        refuse_special(path);
        if (fs::exists(path)) {
            throw existing(path);
        }
        const fs::path target = link_target(path);
        std::string temporary = hidden_beside(target, "XXXXXX");  // until it is complete
        File file(::mkostemp(temporary.data(), O_CLOEXEC), path);
        const RemoveOnFailure other_name(temporary);  // removed in any case
        const auto unlocked = lock_new(file, path);
        fill(file, target, to_text(checkpoint));
        if (const int error = move_to_new(temporary, target)) {
            if (error == EEXIST) throw existing(path);
            throw write_failure(path, error);
        }
        sync_folder(folder_of(target));
        return CheckpointFile(path, target, std::move(file), unlocked);
    } catch (const fs::filesystem_error& error) {
        throw write_failure(path, error.code().value());
    }
}

// Between opening and locking, the process that held the file may have replaced it and closed this one: then try again.
CheckpointFile CheckpointFile::open(const std::string& path) {
    constexpr int attempts = 5;
    try {
        refuse_special(path);
        if (!fs::exists(path)) {
            throw cannot("open", path, ENOENT);
        }
        const fs::path target = link_target(path);
        for (int i = 0; i < attempts; i++) {
            const int descriptor = ::open(target.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
            if (descriptor < 0) throw cannot("open", path, errno);
            File file(descriptor, path);
            const int error = lock(file);
            if (error == EWOULDBLOCK) throw in_use(path);
            if (error != 0 && !has_no_locks(error)) throw cannot("lock", path, error);
            if (is_at(file, target)) return CheckpointFile(path, target, std::move(file), cause_of(error));
        }
        throw in_use(path);
    } catch (const fs::filesystem_error& error) {
        throw cannot("open", path, error.code().value());
    }
}

Checkpoint CheckpointFile::load() const {
    struct stat facts = {};
    if (::fstat(file_.descriptor(), &facts) != 0) throw cannot("read", path_, errno);
    if (static_cast<std::uint64_t>(facts.st_size) > max_bytes) {
        throw refusal(path_, "damaged, or not a checkpoint: it is too large for one");
    }
    std::string text(static_cast<std::size_t>(facts.st_size), '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const auto offset = static_cast<off_t>(size);
        const ssize_t n = ::pread(file_.descriptor(), text.data() + size, text.size() - size, offset);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw cannot("read", path_, errno);
        if (n == 0) break;
        size += static_cast<std::size_t>(n);
    }
    text.resize(size);
    return parse_checkpoint(path_, text);
}

// The new file is locked, if there are locks, before it takes the name of the old one. So the file of that name is
// locked at every moment.
void CheckpointFile::save(const Checkpoint& checkpoint) {
    if (!is_at(file_, target_) && ::access(target_.c_str(), F_OK) == 0) {
        throw WriteError(fmt::format("cannot write {}: another file was put in its place", path_));
    }
    const std::string temporary =
        hidden_beside(target_, "saving");  // a fixed name: killed processes leave one such file at most
    File file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), path_);
    lock_new(file, path_);
    RemoveOnFailure cleanup(temporary);
    file.truncate();
    fill(file, target_, to_text(checkpoint));
    if (::rename(temporary.c_str(), target_.c_str()) != 0) {
        throw write_failure(path_, errno);
    }
    cleanup.armed = false;
    std::swap(file_, file);
    sync_folder(folder_of(target_));
}

}  // namespace bench
