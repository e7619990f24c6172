#include "bench/tell/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "bench/estimands/estimate.hpp"
#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

constexpr double seconds_between_updates = 0.2;

std::size_t terminal_columns() {
    winsize size = {};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

/// Two digits in the largest unit that has them.
std::string duration_text(double seconds) {
    constexpr double minute = 60, hour = 60 * minute, day = 24 * hour;
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    if (seconds < 100 * minute) return fmt::format("{:.0f} min", seconds / minute);
    if (seconds < 100 * hour) return fmt::format("{:.0f} h", seconds / hour);
    return fmt::format("{:.3g} d", seconds / day);
}

/// The estimate to the first digit of its standard deviation; to four decimals without one.
std::string estimate_text(const PooledProgress& progress, const Expectation& expected) {
    const Outcome& outcome = progress.so_far;
    if (!progress.uncertainty) {
        return fmt::format("{:.4f}", estimate(outcome));
    }
    const double sd = estimate_sd(outcome, expected, progress.uncertainty->variance_ratio);
    return fmt::format("{:.{}f} +- {:.1g}", estimate(outcome), decimals_to(sd), sd);
}

}  // namespace

std::string progress_text(const std::string& name, std::uint64_t samples_per_launch, const Measurement& so_far) {
    const Summary s = summarize(so_far.ms);
    const double rate = static_cast<double>(samples_per_launch) / (s.median * 1e6);
    const std::string interval =
        s.interval_is_95 ? fmt::format(", interval {:.2f} %", 100 * (s.high - s.low) / s.median) : "";
    return fmt::format("{}  {} launches, {:.5g} samples/ns{}", name, so_far.launches, rate, interval);
}

std::string progress_text(const PooledProgress& progress, const Expectation& expected) {
    const double done = static_cast<double>(progress.so_far.samples), all = static_cast<double>(progress.samples);
    const double now = done - static_cast<double>(progress.samples_before);
    return fmt::format("{:.3g} of {:.3g}, {:.1f} %, {:.4g} samples/ns, {}, {} left", done, all, 100 * done / all,
                       now / (progress.timed_ms * 1e6), estimate_text(progress, expected),
                       duration_text(progress.elapsed_seconds * (all - done) / now));
}

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet && isatty(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::function<std::string()>& text) {
    const double now = monotonic_seconds();
    if (!enabled_ || now - last_ < seconds_between_updates) {
        return;
    }
    last_ = now;
    shown_ = true;
    std::fputs(fmt::format("\r\033[K{}", text().substr(0, terminal_columns() - 1)).c_str(), stderr);
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (shown_) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        shown_ = false;
    }
}

}  // namespace bench
