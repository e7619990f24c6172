#include "bench/record/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

constexpr double seconds_between_updates = 0.2;

std::size_t terminal_columns() {
    winsize size = {};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

/// Two digits in the largest unit that shows them.
std::string duration_text(double seconds) {
    constexpr double minute = 60, hour = 60 * minute, day = 24 * hour;
    if (seconds < 100) return fmt::format("{:.0f} s", seconds);
    if (seconds < 100 * minute) return fmt::format("{:.0f} min", seconds / minute);
    if (seconds < 100 * hour) return fmt::format("{:.0f} h", seconds / hour);
    return fmt::format("{:.3g} d", seconds / day);
}

}  // namespace

std::string progress_text(const std::string& step, const Unit& unit, const Measurement& so_far) {
    const Summary rate = rates(so_far.ms, so_far.work);
    const std::string interval =
        rate.interval_is_95 ? fmt::format(", interval {:.2f} %", 100 * (rate.high - rate.low) / rate.median) : "";
    return fmt::format("{}  {} launches, {:.5g} {}/ns{}", step, so_far.launches, rate.median, unit.many, interval);
}

std::string progress_text(const PooledProgress& progress) {
    const auto done = static_cast<double>(progress.done);
    const double all = done / progress.share, now = done - static_cast<double>(progress.before);
    return fmt::format("{:.3g} of {:.3g}, {:.1f} %, {:.4g} {}/ns, {}, {} left", done, all, 100 * progress.share,
                       now / (progress.timed_ms * 1e6), progress.unit.many, progress.estimate,
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
