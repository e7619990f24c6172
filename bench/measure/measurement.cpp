#include "bench/measure/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/measure/statistics.hpp"

namespace bench {
namespace {

constexpr double warm_up_seconds = 0.2;  // an idle GPU takes some tenths of a second to raise its clock
constexpr double min_timing_ms = 1.0;    // events resolve half a microsecond
constexpr double many_timings = 200;     // of fixed work; between two of them the GPU idles

// The width of an interval is an estimate too, and the first timings may not be like the others. So no measurement ends
// early that ten times its time could make precise, nor in its first fifth.
constexpr double times_max_seconds = 10;
constexpr double part_of_max_seconds = 0.2;

/// Runs the first `width` launches side by side, again and again. Returns the shortest time in milliseconds.
double warm_up(const StoppingRule& rule, Runner& runner, unsigned width) {
    const double start = runner.now();
    const double limit = std::min(warm_up_seconds, rule.max_seconds);
    double shortest = runner.time(0, width).total_ms;
    while (runner.now() - start < limit) {
        shortest = std::min(shortest, runner.time(0, width).total_ms);
    }
    return shortest;
}

PhaseTimes per_launch(PhaseTimes ms, unsigned launches) {
    for (double& phase : ms) phase /= launches;
    return ms;
}

/// Minimum time of a timing, in milliseconds.
double timing_ms_for(const StoppingRule& rule, double launch_ms) {
    const double all_ms = static_cast<double>(rule.launches.value_or(0)) * launch_ms;
    return std::min(std::max(all_ms / many_timings, min_timing_ms), rule.longest_timing_ms);
}

/// Number of rounds in a timing. A round is a set of launches side by side and takes `round_ms`.
unsigned rounds_for(double round_ms, double timing_ms, unsigned most) {
    if (round_ms >= timing_ms / 2) {
        return 1;
    }
    return static_cast<unsigned>(std::min<double>(most, std::ceil(timing_ms / round_ms)));
}

unsigned next_batch(const StoppingRule& rule, const Measurement& m, unsigned most, unsigned width) {
    if (!rule.launches) {
        return most;
    }
    // Equal parts, so that no timing of few launches weighs as much as one of many. Whole rounds, so that workers idle
    // only in the last one.
    const std::uint64_t rest = *rule.launches - rule.done - m.launches;
    const std::uint64_t timings = (rest - 1) / most + 1;
    const std::uint64_t equal_part = (rest - 1) / timings + 1;
    const std::uint64_t whole_rounds = ((equal_part - 1) / width + 1) * width;
    return static_cast<unsigned>(std::min<std::uint64_t>({rest, most, whole_rounds}));
}

/// Whether there are enough timings to look at their interval.
bool is_enough(const StoppingRule& rule, std::size_t timings, double timed_seconds) {
    return timings >= rule.min_timings && timed_seconds >= rule.min_seconds;
}

bool is_narrow(const StoppingRule& rule, const Summary& s) {
    const double half_width = std::max(s.high - s.median, s.median - s.low);
    return s.interval_is_95 && half_width <= rule.relative_half_width * s.median;
}

/// Whether more timings like these would not narrow the interval enough, even in much more time than there is.
bool is_out_of_reach(const StoppingRule& rule, std::span<const double> ms, double elapsed_seconds) {
    if (elapsed_seconds < part_of_max_seconds * rule.max_seconds) {
        return false;
    }
    const Summary expected = summarize(ms, times_max_seconds * rule.max_seconds / elapsed_seconds);
    return expected.interval_is_95 && !is_narrow(rule, expected);
}

Progress progress_of_fixed(const StoppingRule& rule, const Measurement& m) {
    return rule.done + m.launches == *rule.launches ? Progress::done : Progress::more;
}

/// Looks at the interval after growing numbers of timings, and once more when the time is up. With many looks, one of
/// them would probably find the interval narrow by chance, and each look takes longer than the one before.
class Looks {
 public:
    explicit Looks(const StoppingRule& rule) : rule_(rule), next_(rule.min_timings) {}

    Progress after(const Measurement& m, double elapsed_seconds) {
        if (m.ms.size() < next_ && elapsed_seconds < rule_.max_seconds) {
            return Progress::more;
        }
        const double timed_seconds = m.timed_ms / 1e3;
        if (is_enough(rule_, m.ms.size(), timed_seconds)) {
            next_ = m.ms.size() + (m.ms.size() + 3) / 4;
        }
        return progress(rule_, m.ms, timed_seconds, elapsed_seconds);
    }

 private:
    const StoppingRule& rule_;
    std::size_t next_;  // timings at the next look
};

}  // namespace

BatchTime& BatchTime::operator+=(const BatchTime& other) {
    total_ms += other.total_ms;
    work += other.work;
    for (std::size_t phase = 0; phase < phases_ms.size(); phase++) phases_ms[phase] += other.phases_ms[phase];
    return *this;
}

Progress progress(const StoppingRule& rule, std::span<const double> ms, double timed_seconds, double elapsed_seconds) {
    const bool enough = is_enough(rule, ms.size(), timed_seconds);
    if (enough && is_narrow(rule, summarize(ms))) {
        return Progress::precise;
    }
    if (elapsed_seconds >= rule.max_seconds) {
        return ms.size() < rule.min_timings ? Progress::few_timings : Progress::out_of_time;
    }
    return enough && is_out_of_reach(rule, ms, elapsed_seconds) ? Progress::out_of_reach : Progress::more;
}

Measurement time_launches(const StoppingRule& rule, Runner& runner) {
    Measurement m;
    const unsigned first_width = runner.side_by_side(1);
    const double round_ms = warm_up(rule, runner, first_width);
    runner.end_warm_up();
    const double launch_ms = round_ms / first_width;
    const double most_launches = std::min<double>(rule.most_at_once, rule.longest_timing_ms / launch_ms);
    const unsigned width =
        runner.side_by_side(static_cast<unsigned>(most_launches));  // the warm-up may have shown that some are faster
    const unsigned batch =
        rule.batch.value_or(rounds_for(width * launch_ms, timing_ms_for(rule, launch_ms), rule.most_at_once) * width);

    const double start = runner.now();
    Looks looks(rule);
    while (m.progress == Progress::more) {
        const unsigned launches = next_batch(rule, m, batch, width);
        m.batch = std::max(m.batch, launches);
        const BatchTime time = runner.time(rule.first + rule.done + m.launches, launches);
        m.ms.push_back(time.total_ms / launches);
        m.phases_ms.push_back(per_launch(time.phases_ms, launches));
        m.work.push_back(time.work / launches);
        m.launches += launches;
        m.timed_ms += time.total_ms;
        m.timed_work += time.work;
        runner.note(m);
        m.elapsed_seconds = runner.now() - start;
        m.progress = rule.launches ? progress_of_fixed(rule, m) : looks.after(m, m.elapsed_seconds);
    }
    return m;
}

std::optional<Warning> stopping_warning(Progress end, double max_seconds) {
    const std::string by_time = fmt::format("stopped by --max-time {} after some timings: ", max_seconds);
    switch (end) {
        case Progress::out_of_reach:
            return Warning{"interval", fmt::format("stopped after some timings: the interval is wider than asked for, "
                                                   "and would be after {} times --max-time {}",
                                                   times_max_seconds, max_seconds)};
        case Progress::out_of_time:
            return Warning{"interval", by_time + "the interval is wider than asked for"};
        case Progress::few_timings:
            return Warning{"interval", by_time + "too few to see how much they depend on each other"};
        default:
            return std::nullopt;
    }
}

Summary rates(std::span<const double> ms, std::span<const double> work) {
    std::vector<double> of_unit;
    for (std::size_t i = 0; i < ms.size(); i++) of_unit.push_back(ms[i] / work[i]);
    const Summary times = summarize(of_unit);
    const auto rate = [](double unit_ms) { return 1 / (unit_ms * 1e6); };
    return {rate(times.median), rate(times.high), rate(times.low),
            rate(times.max),    rate(times.min),  times.interval_is_95};
}

}  // namespace bench
