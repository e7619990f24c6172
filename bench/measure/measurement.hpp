// Times launches repeatedly until the time of a launch is known precisely. Knows nothing of what they compute.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/errors.hpp"
#include "bench/host.hpp"
#include "bench/measure/statistics.hpp"
#include "bench/step.hpp"

namespace bench {

/// Times of phases, in milliseconds; 0 for phases that do not exist.
using PhaseTimes = std::array<double, max_phases>;

/// Time of a batch of launches, in milliseconds, and the work that they did in it.
struct BatchTime {
    double total_ms = 0;
    PhaseTimes phases_ms = {};  // of a step with several phases; parts of total_ms unless they overlap
    double work = 0;            // in units, from the tally

    BatchTime& operator+=(const BatchTime& other);
};

/// Maximum number of launches in one timing that run one after the other.
inline constexpr unsigned max_batch = 256;

/// When to stop measuring.
struct StoppingRule {
    double relative_half_width = 0.005;     // of the 95 % interval of the median
    std::size_t min_timings = 50;           // with fewer, their dependence on each other stays hidden
    double min_seconds = 0.5;               // spent in timed launches
    double max_seconds = 15;                // of wall-clock time; overrides the others
    std::optional<std::uint64_t> launches;  // exactly this many, instead of all of the above
    std::uint64_t first = 0;                // number of the first launch of the run
    std::uint64_t done = 0;                 // launches done by an earlier part of the run
    std::optional<unsigned> batch;          // launches per timing; empty: as many as take a millisecond
    double longest_timing_ms = 1000;        // a signal waits for the end of a timing
    unsigned most_at_once = max_batch;      // launches in a timing, if `batch` does not say
};

/// The state of a measurement.
enum class Progress {
    more,
    precise,       // the rule is satisfied
    done,          // all launches of fixed work are done
    out_of_reach,  // the rule would not be satisfied by `max_seconds`, nor much later
    out_of_time,   // it is not satisfied, and `max_seconds` are over
    few_timings,   // likewise, before `min_timings`
};

/// Says that the interval is not what the rule asks for, if a measurement ended so.
std::optional<Warning> stopping_warning(Progress end, double max_seconds);

/// The state after timings of `ms` per launch (one value per timing) that took `timed_seconds` in launches and
/// `elapsed_seconds` in all. Ignores `rule.launches`.
Progress progress(const StoppingRule& rule, std::span<const double> ms, double timed_seconds, double elapsed_seconds);

struct Measurement {
    std::vector<double> ms = {};             // per launch, one for each timing
    std::vector<PhaseTimes> phases_ms = {};  // likewise
    std::vector<double> work = {};           // likewise: launches may differ in theirs
    std::uint64_t launches = 0;              // in all timings, without an earlier part of the run
    double timed_ms = 0;                     // of all timings
    double timed_work = 0;                   // likewise, in units
    double elapsed_seconds = 0;              // from the start of the first timing to the end of the last
    unsigned batch = 1;                      // maximum number of launches in one timing
    Progress progress = Progress::more;      // in the end, why it ended
};

/// The rates of timings with these times and this work, both per launch, in units of work per nanosecond. Its interval is
/// that of the times per unit of work.
Summary rates(std::span<const double> ms, std::span<const double> work);

/// Who runs the launches of a measurement. Its functions may throw to end it.
class Runner {
 public:
    virtual ~Runner() = default;

    /// Runs launches `first` to `first` + `launches` - 1 and returns their time.
    virtual BatchTime time(std::uint64_t first, unsigned launches) = 0;

    /// The number of launches to run side by side so that no worker idles: at most `most`, but at least one per worker.
    virtual unsigned side_by_side(unsigned most) = 0;

    /// Called once, after the warm-up, whose launches do not count.
    virtual void end_warm_up() = 0;

    /// Called after each timing with the measurement so far.
    virtual void note(const Measurement& so_far) = 0;

    /// A clock, in seconds.
    virtual double now() const { return monotonic_seconds(); }
};

/// Warms up with launch 0, or with as many launches as run side by side; these do not count. Then times launches 0, 1,
/// 2, ... until `rule` is satisfied or out of reach. Checks the rule at its minimum number of timings, then whenever
/// there are a quarter more, and when the time is up. Launches well under a millisecond are timed in batches. If
/// fixed work is long, longer ones are batched too, for up to a second, so that little of its time lies between timings.
Measurement time_launches(const StoppingRule& rule, Runner& runner);

}  // namespace bench
