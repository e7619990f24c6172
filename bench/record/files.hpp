// Writes files safely: an interrupted run leaves the old file complete. And reads them.
#pragma once

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
    void sync();
    void close();

    /// Locks the file against other processes until it is closed. Returns 0, or the errno value: EWOULDBLOCK if another process
    /// has locked it, others if the file system has no locks.
    int lock();

 private:
    void check(int status) const;

    int descriptor_;
    std::string path_;
};

/// Follows symbolic links. The file at their end need not exist. Throws std::filesystem::filesystem_error.
std::filesystem::path link_target(const std::filesystem::path& path);

/// The folder of `path`; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// Whether `path`, after following links, exists and is not a regular file.
bool is_special(const std::filesystem::path& path);

/// A file under a hidden name beside its target, whose name it can take. Removed if it does not.
class NewFile {
 public:
    /// Errors name `path`. With `one_name`, a later one replaces what a killed process left.
    NewFile(const std::filesystem::path& target, const std::string& path, bool one_name = false);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    File& file() { return file_; }

    /// Writes to the file and to disk. Gives it the mode of its target, or that of any new file if there is none.
    void fill(const std::string& text);

    /// Takes the name of its target, also from another file.
    void replace_target();

    /// The same, unless there is such a file: then returns false.
    bool become_target();

 private:
    void sync_folder() const;

    std::filesystem::path target_;
    std::string name_, path_;
    File file_;
};

/// The text of a regular file. Throws UsageError if it cannot be read, or is larger than a record of a run can be.
std::string read_file(const std::string& path);

/// Throws UsageError if `path` is a folder, a device or a pipe.
void refuse_special(const std::string& path);

/// Writes `text` to `path`: to a temporary file in the same folder, which is synced and renamed. Follows symbolic
/// links. Writes directly into an existing target that is not a regular file (/dev/null, a pipe). Throws WriteError; an
/// existing file is then unchanged.
void write_result(const std::string& path, const std::string& text);

/// Writes to where an option such as --json says: "-" is stdout, anything else a path. Throws WriteError.
void write_target(const std::string& target, const std::string& text);

/// Throws WriteError if write_result(path, ...) is certain to fail. Called before the measurement, so that a wrong path
/// does not waste it.
void check_writable(const std::string& path);

/// As check_writable, of write_target(target, ...).
void check_target(const std::string& target);

}  // namespace bench
