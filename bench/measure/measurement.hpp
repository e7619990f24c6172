// How long does a launch take? Repeats until the answer is known well enough. Knows times, not what is computed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/contract.hpp"

namespace bench {

/// Times of phases, in milliseconds; 0 of those that are not there.
using PhaseTimes = std::array<double, max_phases>;

/// Time of a batch of launches, in milliseconds.
struct BatchTime {
    double total_ms = 0;
    PhaseTimes phases_ms = {};  // parts of total_ms; zeros where there is one phase only
};

/// Runs `launches` launches, the first of them number `first`, and returns their time.
using TimeBatch = std::function<BatchTime(std::uint64_t first, unsigned launches)>;

/// When to stop measuring.
struct StoppingRule {
    double relative_half_width = 0.005;     // of the 95 % interval of the median
    std::size_t min_timings = 50;           // fewer hide how much they depend on each other
    double min_seconds = 0.5;               // spent in timed launches
    double max_seconds = 15;                // of wall-clock time; wins over the others
    std::optional<std::uint64_t> launches;  // exactly so many, in place of all of the above
    std::uint64_t done = 0;                 // of those, by an earlier part of the run: the first launch has this number
    std::optional<unsigned> batch;          // launches timed at once; otherwise as many as take a millisecond
    double longest_timing_ms = 1000;        // a signal waits for the end of a timing
};

/// Where a measurement stands.
enum class Progress { more, precise, out_of_time };  // precise: as the rule asks

/// What `rule` says after timings of `ms` per launch (the launches of one timing count once) that took `timed_seconds`
/// in launches and `elapsed_seconds` in all. `rule.launches` is not looked at.
Progress progress(const StoppingRule& rule, std::span<const double> ms, double timed_seconds, double elapsed_seconds);

struct Measurement {
    std::vector<double> ms;             // per launch, one for each timing
    std::vector<PhaseTimes> phases_ms;  // likewise
    std::uint64_t launches = 0;         // in all timings; none of an earlier part
    double timed_ms = 0;                // by all timings
    unsigned batch = 1;                 // launches in one timing: the most that there were
    std::vector<std::string> warnings;
};

/// Called after each timing with the measurement so far; may throw to stop it.
using OnTiming = std::function<void(const Measurement&)>;

/// Largest number of launches timed as one, of those that run one after the other.
inline constexpr unsigned max_batch = 256;

/// How many launches run side by side, so that nobody idles: no more than `most` of them, where as many as that are not
/// needed for everyone to have one.
using SideBySide = std::function<unsigned(unsigned most)>;

/// Warms up with launch 0, or as many as run side by side, not counted, then times launches 0, 1, 2, ... until `rule` is
/// content: it is asked when there are as many timings as it wants, then whenever there are a quarter more, and when the
/// time is up. Launches of well under a millisecond are timed in batches; where there are a great many to do, so are
/// longer ones, up to a second at once, for every timing is kept. `now` is a clock in seconds. `discard` is called once,
/// after the warm-up.
Measurement measure(
    const StoppingRule& rule, const TimeBatch& time_batch, const std::function<void()>& discard,
    const OnTiming& on_timing, const std::function<double()>& now,
    const SideBySide& side_by_side = [](unsigned) { return 1u; });

/// Seconds of a monotonic clock.
double monotonic_seconds();

}  // namespace bench
