// The file of a run that may go on: complete at every moment, and used by one process only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bench/record/files.hpp"

namespace bench {

/// A file that is locked against other processes for as long as this object lives, if its file system has locks. Follows
/// symbolic links.
class KeptFile {
 public:
    /// Creates a file. Throws UsageError if it exists already, or if `path` is a folder or a device; WriteError if it
    /// cannot be created.
    static KeptFile create(const std::string& path, const std::string& text);

    /// Opens an existing file. Throws UsageError if it does not exist, is not a regular file, or is in use by another
    /// process; WriteError if it cannot be locked.
    static KeptFile open(const std::string& path);

    const std::string& path() const { return path_; }  // as given

    /// Why the file is not locked; empty if it is.
    const std::optional<std::string>& unlocked() const { return unlocked_; }

    /// Replaces the text. Throws WriteError; the file then keeps the old one.
    void save(const std::string& text);

 private:
    KeptFile(std::string path, std::filesystem::path target, File file, int lock_error);

    std::string path_;
    std::filesystem::path target_;  // at the end of symbolic links
    File file_;                     // the file at target_
    std::optional<std::string> unlocked_;
};

}  // namespace bench
