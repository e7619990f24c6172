#include "bench/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/statistics.hpp"

namespace bench {
namespace {

constexpr double warm_up_seconds = 0.2;  // an idle GPU takes some tenths of a second to raise its clock
constexpr double min_timing_ms = 1.0;    // events resolve half a microsecond
constexpr double max_batch_ms = 1000.0;  // a signal waits for the end of a batch
constexpr double many_timings = 1e5;     // say all that can be said of the times

/// Launches 0 over and over; returns the shortest time of one, in milliseconds.
double warm_up(const StoppingRule& rule, const TimeBatch& time_batch, const std::function<double()>& now) {
    const double start = now();
    const double limit = std::min(warm_up_seconds, rule.max_seconds);
    double shortest = time_batch(0, 1).total_ms;
    while (now() - start < limit) {
        shortest = std::min(shortest, time_batch(0, 1).total_ms);
    }
    return shortest;
}

/// How long a timing should take at least, in milliseconds.
double timing_ms_for(const StoppingRule& rule, double launch_ms) {
    const double all_ms = static_cast<double>(rule.launches.value_or(0)) * launch_ms;
    return std::clamp(all_ms / many_timings, min_timing_ms, max_batch_ms);
}

unsigned batch_for(double launch_ms, double timing_ms) {
    if (launch_ms >= timing_ms / 2) {
        return 1;
    }
    return static_cast<unsigned>(std::min<double>(max_batch, std::ceil(timing_ms / launch_ms)));
}

unsigned next_batch(const StoppingRule& rule, const Measurement& m) {
    if (!rule.launches) {
        return m.batch;
    }
    // The rest in equal parts, so that no timing of a few launches weighs as much as those of many.
    const std::uint64_t rest = *rule.launches - m.launches;
    const std::uint64_t timings = (rest - 1) / m.batch + 1;
    return static_cast<unsigned>((rest - 1) / timings + 1);
}

Progress progress_of_fixed(std::uint64_t launches, const Measurement& m) {
    return m.launches == launches ? Progress::precise : Progress::more;
}

}  // namespace

Progress progress(const StoppingRule& rule, std::span<const double> ms, double timed_seconds, double elapsed_seconds) {
    const bool enough = ms.size() >= rule.min_timings && timed_seconds >= rule.min_seconds;
    if (enough) {
        const Summary s = summarize(ms);
        const double half_width = std::max(s.high - s.median, s.median - s.low);
        if (s.interval_is_95 && half_width <= rule.relative_half_width * s.median) {
            return Progress::precise;
        }
    }
    return elapsed_seconds >= rule.max_seconds ? Progress::out_of_time : Progress::more;
}

Measurement measure(const StoppingRule& rule, const TimeBatch& time_batch, const std::function<void()>& discard,
                    const OnTiming& on_timing, const std::function<double()>& now) {
    Measurement m;
    const double launch_ms = warm_up(rule, time_batch, now);
    m.batch = batch_for(launch_ms, timing_ms_for(rule, launch_ms));
    discard();

    const double start = now();
    Progress state = Progress::more;
    while (state == Progress::more) {
        const unsigned launches = next_batch(rule, m);
        const BatchTime time = time_batch(m.launches, launches);
        m.ms.push_back(time.total_ms / launches);
        m.setup_ms.push_back(time.setup_ms / launches);
        m.launches += launches;
        m.timed_ms += time.total_ms;
        on_timing(m);
        state = rule.launches ? progress_of_fixed(*rule.launches, m)
                              : progress(rule, m.ms, m.timed_ms / 1e3, now() - start);
    }
    if (state == Progress::out_of_time) {
        m.warnings.push_back(
            fmt::format("stopped by --max-time {} after {} timings: the interval is wider than asked for",
                        rule.max_seconds, m.ms.size()));
    }
    return m;
}

double monotonic_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace bench
