// The file of a checkpoint: whole at every moment, and one process's only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bench/keep/checkpoint.hpp"
#include "bench/keep/files.hpp"

namespace bench {

/// A checkpoint's file, locked against other processes for as long as this object lives, where its file system has locks.
/// Symbolic links are followed.
class CheckpointFile {
 public:
    /// A new file. Throws UsageError if there is one already, or if `path` is a folder or a device; WriteError if it
    /// cannot be made.
    static CheckpointFile create(const std::string& path, const Checkpoint& checkpoint);

    /// A file that exists. Throws UsageError if it does not, is no regular file, or is in use by another process.
    static CheckpointFile open(const std::string& path);

    /// Why the file is not locked; nothing where it is.
    const std::optional<std::string>& unlocked() const { return unlocked_; }

    /// What the file holds. Throws UsageError as parse_checkpoint does.
    Checkpoint load() const;

    /// Replaces what the file holds. Throws WriteError; the file is then as it was.
    void save(const Checkpoint& checkpoint);

 private:
    CheckpointFile(std::string path, std::filesystem::path target, File file, std::optional<std::string> unlocked)
        : path_(std::move(path)), target_(std::move(target)), file_(std::move(file)), unlocked_(std::move(unlocked)) {}

    std::string path_;              // as given, for messages
    std::filesystem::path target_;  // behind symbolic links
    File file_;                     // what is at target_
    std::optional<std::string> unlocked_;
};

}  // namespace bench
