// A run of fixed work that can be interrupted and gone on with.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bench/cli/options.hpp"
#include "bench/keep/build_info.hpp"
#include "bench/keep/checkpoint_file.hpp"
#include "bench/measure/measurement.hpp"

namespace bench {

/// Keeps the checkpoint of a run.
class Saver {
 public:
    /// `path` is how the user calls the file. Saves every `every_seconds`; `warn` tells the user what does not stop the run.
    Saver(std::string path, CheckpointFile file, Checkpoint checkpoint, double every_seconds,
          std::function<void(const std::string&)> warn);

    const std::string& path() const { return path_; }

    /// What was done before this part of the run, and the work as a whole.
    const Checkpoint& start() const { return start_; }

    /// Whether it is time to save: the next call of save_if_due may come too late.
    bool due() const;

    /// Saves if it is time. Where it cannot, warns, and tries again the next time.
    void save_if_due(const Tally& tally);

    /// Saves now. Where it cannot, what was saved before is still there, and failure() says why.
    void save(const Tally& tally);

    /// Why the last save failed: "cannot write ..."; nothing where it did not.
    const std::optional<std::string>& failure() const { return failure_; }

 private:
    std::string path_;
    CheckpointFile file_;
    Checkpoint start_;
    double every_seconds_;
    std::function<void(const std::string&)> warn_;
    double last_ = monotonic_seconds();       // attempt to save
    double last_call_ = monotonic_seconds();  // of save_if_due
    std::optional<std::string> failure_;
};

/// A run that is gone on with: its file and what it holds.
struct Resumed {
    CheckpointFile file;
    Checkpoint checkpoint;
    bool new_goal;  // that the user set; otherwise the one in the file holds
};

/// Opens the file of --resume and takes over its seed and, unless the user set another, its goal. Nothing without --resume.
/// Throws UsageError where the file is no checkpoint of `program`, or of another seed than the user's.
std::optional<Resumed> resume(const std::string& program, Options& options);

/// Takes a number of the resumed run's shape into `option`. Throws UsageError where the user gave another.
void take_over(const Resumed& resumed, const Options& options, const char* name, std::optional<unsigned>& option);

/// The saver of a run of `work`, whose goal and shape are settled, by a program of `build`: of the resumed one, or of a new
/// file. `launches` is a tally of none of them. Nothing where the user wants none. Throws UsageError where the goal is less than
/// what is done, the shape is another, or what is done contradicts itself. Warns where the resumed run may have been begun by a program that differs from this one.
std::unique_ptr<Saver> saver_of(const Options& options, std::optional<Resumed> resumed, Checkpoint work,
                                const Tally& launches, std::function<void(const std::string&)> warn,
                                const BuildInfo& build = build_info());

}  // namespace bench
