// Saves runs of fixed work, and resumes them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bench/measure/measurement.hpp"
#include "bench/options/build_info.hpp"
#include "bench/options/options.hpp"
#include "bench/record/checkpoint_file.hpp"

namespace bench {

/// Saves the checkpoint of a run.
class Saver {
 public:
    /// `path` is the user's name for the file. Saves every `every_seconds`. `warn` tells the user of failures that do
    /// not stop the run.
    Saver(std::string path, CheckpointFile file, Checkpoint checkpoint, double every_seconds,
          std::function<void(const std::string&)> warn);

    const std::string& path() const { return path_; }

    /// The state of the run before this part, and its goal.
    const Checkpoint& start() const { return start_; }

    /// Whether to save now: the next call of save_if_due may come too late.
    bool due() const;

    /// Saves if it is due. On failure, warns and tries again when it is due next.
    void save_if_due(const Tally& tally);

    /// Saves now. On failure, the file keeps the previous checkpoint and failure() says why.
    void save(const Tally& tally);

    /// Why the last save failed: "cannot write ..."; empty if it succeeded.
    const std::optional<std::string>& failure() const { return failure_; }

 private:
    std::string path_;
    CheckpointFile file_;
    Checkpoint start_;
    double every_seconds_;
    std::function<void(const std::string&)> warn_;
    double last_ = monotonic_seconds();       // time of the last attempt to save
    double last_call_ = monotonic_seconds();  // time of the last call of save_if_due
    std::optional<std::string> failure_;
};

/// A run to resume: its file and the checkpoint in it.
struct Resumed {
    CheckpointFile file;
    Checkpoint checkpoint;
    bool new_goal;  // whether the user set one; otherwise the file's goal applies
};

/// Opens the file of --resume. Takes its seed and, unless the user set one, its goal. Returns nothing without --resume.
/// Throws UsageError if the file is not a checkpoint of `program`, or has another seed than the user's.
std::optional<Resumed> resume(const std::string& program, Options& options);

/// Sets `option` from the resumed run's shape. Throws UsageError if the user gave another value.
void take_over(const Resumed& resumed, const Options& options, const char* name, std::optional<unsigned>& option);

/// The saver of a run of `work`, with settled goal and shape, by a program of `build`: for the resumed run, or for a
/// new file. `launches` is an empty tally of the run. Null if the user wants no checkpoint. Throws UsageError if the
/// goal is less than the launches done, if the shape differs, or if the checkpoint contradicts itself. Warns if another
/// program may have begun the resumed run.
std::unique_ptr<Saver> saver_of(const Options& options, std::optional<Resumed> resumed, Checkpoint work,
                                const Tally& launches, std::function<void(const std::string&)> warn,
                                const BuildInfo& build = build_info());

}  // namespace bench
