// Building blocks for writing files safely.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>

#include "bench/errors.hpp"

namespace bench {

/// A file descriptor that closes itself. Its functions throw WriteError, naming `path`.
class File {
 public:
    /// Takes ownership of `descriptor`. A negative one is a failure: throws the error in errno.
    File(int descriptor, std::string path);
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
    File& operator=(File&& other) noexcept;
    ~File();

    int descriptor() const { return descriptor_; }
    void write(const std::string& text);
    void truncate();
    void set_mode(mode_t mode);  // if the file system has modes
    void sync();
    void close();

 private:
    void check(int status) const;

    int descriptor_;
    std::string path_;
};

/// Removes a temporary file, unless `armed` was set to false after a rename.
struct RemoveOnFailure {
    std::string path;
    bool armed = true;

    explicit RemoveOnFailure(std::string temporary) : path(std::move(temporary)) {}
    RemoveOnFailure(const RemoveOnFailure&) = delete;
    RemoveOnFailure& operator=(const RemoveOnFailure&) = delete;
    ~RemoveOnFailure();
};

/// Follows symbolic links. The file at their end need not exist. Throws std::filesystem::filesystem_error.
std::filesystem::path link_target(const std::filesystem::path& path);

/// The folder of `path`; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// Whether `path`, after following links, exists and is not a regular file.
bool is_special(const std::filesystem::path& path);

/// The hidden name ".<name of target>.<suffix>" in the folder of `target`.
std::string hidden_beside(const std::filesystem::path& target, const char* suffix);

/// Writes `text` to `file` and to disk. Gives it the mode of `target`, or that of any new file if `target` does not
/// exist. (File systems without modes, such as FAT, keep theirs.)
void fill(File& file, const std::filesystem::path& target, const std::string& text);

/// The text of a regular file. Throws UsageError if it cannot be read, or is larger than a record of a run can be.
std::string read_file(const std::string& path);

/// Throws UsageError if `path` is a folder, a device or a pipe.
void refuse_special(const std::string& path);

/// Locks a file against other processes until its descriptor is closed. Returns 0 or the errno value, EWOULDBLOCK if
/// another process holds the lock.
int lock(const File& file);

/// Whether that errno value means that the file system has no locks.
bool has_no_locks(int error);

/// Makes a rename durable, if the file system can. The file is complete either way.
void sync_folder(const std::filesystem::path& folder);

}  // namespace bench
