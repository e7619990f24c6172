#include "bench/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "bench/statistics.hpp"

namespace bench {
namespace {

constexpr double seconds_between_updates = 0.2;

}  // namespace

ProgressLine::ProgressLine(std::string name, std::uint64_t samples_per_launch, bool quiet)
    : name_(std::move(name)), samples_per_launch_(samples_per_launch), enabled_(!quiet && isatty(STDERR_FILENO)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const Measurement& m) {
    const double now = monotonic_seconds();
    if (!enabled_ || now - last_ < seconds_between_updates) {
        return;
    }
    last_ = now;
    shown_ = true;
    const Summary s = summarize(m.ms);
    std::string text = fmt::format("\r\033[K{}  {} launches, {:.5g} samples/ns", name_, m.launches,
                                   static_cast<double>(samples_per_launch_) / (s.median * 1e6));
    if (s.interval_is_95) {
        text += fmt::format(", interval {:.2f} %", 100 * (s.high - s.low) / s.median);
    }
    std::fputs(text.c_str(), stderr);
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
