// What writing a file safely is made of.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>

#include "bench/cli/errors.hpp"

namespace bench {

/// "cannot write PATH: " and what the errno value `error` means.
WriteError write_failure(const std::string& path, int error);

/// A file descriptor that is closed when it goes out of scope. Its functions throw WriteError, naming `path`.
class File {
 public:
    /// Takes over `descriptor`; a negative one is a failure that errno describes.
    File(int descriptor, std::string path);
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
    File& operator=(File&& other) noexcept;
    ~File();

    int descriptor() const { return descriptor_; }
    void write(const std::string& text);
    void truncate();
    void set_mode(mode_t mode);  // where the file system has modes
    void sync();
    void close();

 private:
    void check(int status) const;

    int descriptor_;
    std::string path_;
};

/// Removes a temporary file unless it was renamed.
struct RemoveOnFailure {
    std::string path;
    bool armed = true;

    explicit RemoveOnFailure(std::string temporary) : path(std::move(temporary)) {}
    RemoveOnFailure(const RemoveOnFailure&) = delete;
    RemoveOnFailure& operator=(const RemoveOnFailure&) = delete;
    ~RemoveOnFailure();
};

/// The file behind symbolic links, also where it does not exist yet. Throws std::filesystem::filesystem_error.
std::filesystem::path link_target(const std::filesystem::path& path);

/// The folder that `path` lies in; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// Whether there is something at `path`, links followed, that is no regular file.
bool is_special(const std::filesystem::path& path);

/// A hidden name in the folder of `target`, of its name and `suffix`.
std::string hidden_beside(const std::filesystem::path& target, const char* suffix);

/// Makes `file` hold `text`, on disk, with the mode of `target`; where that does not exist, that of any new file. (File
/// systems without modes, such as FAT, keep theirs.)
void fill(File& file, const std::filesystem::path& target, const std::string& text);

/// Makes a rename durable, where the file system can; the file is whole either way.
void sync_folder(const std::filesystem::path& folder);

}  // namespace bench
