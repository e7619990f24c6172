// The line that shows on a terminal how a measurement goes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bench/estimand.hpp"
#include "bench/measure/measurement.hpp"

namespace bench {

/// Of a run by the stopping rule: its launches and its rate so far.
std::string progress_text(const std::string& step, std::uint64_t work_per_launch, const Unit& unit,
                          const Measurement& so_far);

/// Where a pooled run stands. Work is in units.
struct PooledProgress {
    std::uint64_t done;
    std::uint64_t all;     // in the end
    std::uint64_t before;  // this part of the run, which `done` includes and the times do not
    Unit unit;
    double timed_ms;         // by launches
    double elapsed_seconds;  // since the first launch that counts
    std::string estimate;    // so far
};

/// Of a pooled run: work done of all, rate, the estimate, and the time left.
std::string progress_text(const PooledProgress& progress);

/// Rewrites one line on stderr a few times a second; does nothing where stderr is no terminal or the user wants quiet.
class ProgressLine {
 public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine();

    /// Shows what `text` says, cut to the width of the terminal; it is asked only where it is time for a new line.
    void show(const std::function<std::string()>& text);
    void clear();

 private:
    bool enabled_;
    bool shown_ = false;
    double last_ = 0;
};

}  // namespace bench
