// Saves runs of fixed work, and resumes them.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "bench/host.hpp"
#include "bench/options/options.hpp"
#include "bench/record/kept_file.hpp"
#include "bench/record/stored.hpp"

namespace bench {

/// Saves the record of a run. `start` is the run before this part.
class Saver {
 public:
    Saver(KeptFile file, Stored start, double every_seconds)
        : file_(std::move(file)), start_(std::move(start)), every_seconds_(every_seconds) {}

    const std::string& path() const { return file_.path(); }
    const Stored& start() const { return start_; }

    /// Whether to save now: the next call may come too late.
    bool due();

    /// Saves the record of a run. On failure, the file keeps the previous one and failure() says why.
    void save(const Record& run);

    /// Why the last save failed: "cannot write ..."; empty if it succeeded.
    const std::optional<std::string>& failure() const { return failure_; }

 private:
    KeptFile file_;
    Stored start_;
    double every_seconds_;
    double last_ = monotonic_seconds();       // time of the last attempt to save
    double last_call_ = monotonic_seconds();  // time of the last call of due
    std::optional<std::string> failure_;
};

/// A run to resume: its file and what is in it.
struct Resumed {
    KeptFile file;
    Stored run;
    bool new_goal;  // whether the user set one; otherwise the file's goal applies
};

/// Opens the file of --resume. Takes its seed, its shape and, unless the user set one, its goal. Returns nothing without
/// --resume. Throws UsageError if the file holds no run of `program`, or not that of the user's options.
std::optional<Resumed> resume(const std::string& program, Options& options);

/// Takes from a stored run the options that fix what launches publish. Throws UsageError if the user gave others.
void take_over(const Stored& stored, const std::string& program, Options& options);

}  // namespace bench
