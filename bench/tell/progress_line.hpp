// The line that shows on a terminal how a measurement goes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bench/estimands/verdict.hpp"
#include "bench/measure/measurement.hpp"

namespace bench {

/// Of a run by the stopping rule: its launches and its rate so far.
std::string progress_text(const std::string& name, std::uint64_t samples_per_launch, const Measurement& so_far);

/// Where a pooled run stands.
struct PooledProgress {
    Outcome so_far;
    std::uint64_t samples;   // in the end
    double timed_ms;         // by launches
    double elapsed_seconds;  // since the first launch that counts
    std::optional<Uncertainty> uncertainty = Uncertainty{};
    std::uint64_t samples_before = 0;  // this part of the run, which `so_far` includes and the times do not
};

/// Of a pooled run: samples done of all, rate, the estimate with its standard deviation if that can be told, and the
/// time left.
std::string progress_text(const PooledProgress& progress, const Expectation& expected);

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
