// The progress line on a terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bench/estimand.hpp"
#include "bench/measure/measurement.hpp"

namespace bench {

/// Progress of a run by the stopping rule: launches and rate so far.
std::string progress_text(const std::string& step, const Unit& unit, const Measurement& so_far);

/// State of a pooled run. Work is in units.
struct PooledProgress {
    std::uint64_t done;
    double share;          // done of all launches
    std::uint64_t before;  // by earlier parts: included in `done`, excluded from the times
    Unit unit;
    double timed_ms;         // by launches
    double elapsed_seconds;  // since the first launch that counts
    std::string estimate;    // so far
};

/// Progress of a pooled run: work done and goal, rate, estimate, time left.
std::string progress_text(const PooledProgress& progress);

/// Rewrites one line on stderr a few times a second. Does nothing if stderr is not a terminal, or with --quiet.
class ProgressLine {
 public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine();

    /// Shows the result of `text`, cut to the width of the terminal. Calls `text` only if an update is due.
    void show(const std::function<std::string()>& text);
    void clear();

 private:
    bool enabled_;
    bool shown_ = false;
    double last_ = 0;
};

}  // namespace bench
