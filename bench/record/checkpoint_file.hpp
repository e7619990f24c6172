// The file of a checkpoint: complete at every moment, and used by one process only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bench/record/checkpoint.hpp"
#include "bench/record/files.hpp"

namespace bench {

/// A checkpoint's file, locked against other processes for as long as this object lives, if its file system has locks.
/// Follows symbolic links.
class CheckpointFile {
 public:
    /// Creates a file. Throws UsageError if it exists already, or if `path` is a folder or a device; WriteError if it
    /// cannot be created.
    static CheckpointFile create(const std::string& path, const Checkpoint& checkpoint);

    /// Opens an existing file. Throws UsageError if it does not exist, is not a regular file, or is in use by another
    /// process.
    static CheckpointFile open(const std::string& path);

    /// Why the file is not locked; empty if it is.
    const std::optional<std::string>& unlocked() const { return unlocked_; }

    /// Reads the checkpoint. Throws UsageError as parse_checkpoint does.
    Checkpoint load() const;

    /// Replaces the checkpoint. Throws WriteError; the file then keeps the old one.
    void save(const Checkpoint& checkpoint);

 private:
    CheckpointFile(std::string path, std::filesystem::path target, File file, std::optional<std::string> unlocked)
        : path_(std::move(path)), target_(std::move(target)), file_(std::move(file)), unlocked_(std::move(unlocked)) {}

    std::string path_;              // as given, for messages
    std::filesystem::path target_;  // at the end of symbolic links
    File file_;                     // the file at target_
    std::optional<std::string> unlocked_;
};

}  // namespace bench
