// The interface between the harness, which runs and times launches, and the meaning of the counts that they publish.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/replay.hpp"
#include "bench/step.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {

class Tally;

/// Sums of whole numbers over launches. They are exact, so the order of addition does not matter.
using Row = std::vector<Uint128>;

/// The sums over a number of launches.
struct Sums {
    std::uint64_t launches = 0;
    Row row;

    bool operator==(const Sums&) const = default;
};

/// The unit of work: rates are in <many> per nanosecond.
struct Unit {
    const char* one;   // "throw"
    const char* many;  // "throws", also the option that sets a goal
};

/// When an estimate is reported.
enum class Occasion {
    one_launch,  // the one launch of --profile
    timed,       // a run that ends when its rate is known
    pooled       // a run of fixed work, pooled into one estimate
};

/// Variance of an estimate, relative to the same number of independent units of work.
struct VarianceRatio {
    double value = 1;
    double degrees_of_freedom = std::numeric_limits<double>::infinity();  // infinite if the ratio is known
    std::string origin = "";  // text for the report: known and measured value
};

/// Parts of what a launch publishes that have their own random streams: blocks. Part p has the counts p, p + number,
/// p + 2 number and so on.
struct Parts {
    std::uint64_t number = 1;
    double chance_of_same = 1;  // that two of them are alike in a launch, at most
};

/// The meaning of a step's counts: unit, sums, verdict and estimate.
class Estimand {
 public:
    virtual ~Estimand() = default;

    virtual Unit unit() const = 0;
    /// What a stream does `iters` of in a launch: "paths".
    virtual const char* iterations() const { return unit().many; }
    /// Whether the user may choose `iters`. Otherwise it is 1.
    virtual bool iterations_are_free() const { return true; }
    virtual const char* generator() const = 0;  // of the random words: text for the report
    virtual Soundness soundness() const = 0;

    /// What a pooled estimate is printed with, for --help: "its standard deviation".
    virtual const char* precision() const = 0;

    // Of what the user chooses: a problem, such as a linear system. Few estimands have one.

    /// "problem" in a result; null without one.
    virtual nlohmann::ordered_json problem() const;
    /// Whether each launch does exactly the expected work.
    virtual bool work_is_known() const { return true; }
    /// Maximum number of launches of a run, each with random words of its own.
    virtual std::uint64_t most_launches() const { return UINT64_MAX; }
    /// Throws VerdictError if so many launches cannot be right, whatever they publish.
    virtual void require_launches(std::uint64_t) const {}
    /// Writes the files that the run's own options asked for beside the result. The verdict has passed. Throws WriteError.
    virtual void write_files(const Tally&) const {}

    /// Units of work in a launch; ignores spec.work. Where only the launch itself can tell, those that are expected, but
    /// at least 1. Throws UsageError if such a launch is impossible.
    virtual std::uint64_t work_of_launch(const LaunchSpec& spec) const = 0;

    /// Minimum number of launches for a verdict.
    virtual std::uint64_t least_launches() const { return 1; }

    /// Number of sums in a row.
    virtual std::size_t width() const = 0;

    /// How many of them, the first ones with the work among them, are kept for each point of the trace, and as extremes.
    virtual std::size_t traced() const { return width(); }

    /// How the host replays launches on this grid whose streams do about `work` units each, at least an iteration and at most
    /// what those of `spec` do; below one, the grid may be smaller. `problem` is that of the step. Empty if it cannot.
    virtual std::optional<Replay> replay(const LaunchSpec& spec, const Problem* problem, double work) const;

    virtual Parts parts(const LaunchSpec&) const { return {}; }

    /// The row of one launch, from its published counts. Throws VerdictError if a count is unwritten or impossible.
    virtual Row row_of(std::span<const Count> published, const LaunchSpec& spec) const = 0;

    /// Units of work of these launches, whose row may have the traced sums alone.
    virtual std::uint64_t work_of(const Sums& sums, const LaunchSpec& spec) const = 0;

    /// Throws VerdictError unless chance explains the counts.
    virtual void judge(const Tally& tally) const = 0;

    /// Checks a tally from a checkpoint. Throws std::invalid_argument, with the reason, if no launches can lead to it.
    virtual void check(const Tally& tally) const = 0;

    /// The fields of "outcome" in a result (docs/schema.md).
    virtual nlohmann::ordered_json outcome(const Tally& tally) const = 0;

    /// A point of the trace in a result; the row has the traced sums alone.
    virtual nlohmann::ordered_json point(const Sums& sums, const LaunchSpec& spec) const = 0;

    /// The report lines with the estimate.
    virtual std::string report(const Tally& tally, Occasion occasion) const = 0;

    /// The estimate so far, for the progress line.
    virtual std::string estimate_so_far(const Tally& tally) const = 0;

    /// Empty if the units of work are independent, or if the ratio is unknown.
    virtual std::optional<VarianceRatio> variance_ratio(const Tally& tally) const = 0;

    /// Warnings about a finished run.
    virtual std::vector<Warning> warnings(const Tally& tally, Occasion occasion) const = 0;
};

/// Units of work of a stream in a launch, on average.
double work_of_stream(const LaunchSpec& spec);

/// The specification of launches of a step on a grid. Throws UsageError if such launches are impossible.
LaunchSpec spec_of(const Step& step, std::uint64_t seed, Shape shape, unsigned iters);

/// The soundness in words: "sound" (of whole words), "sound for 24-bit coordinates", the same "but for a known parity",
/// "sound in bit planes", "quasi-random", "not tested", "demonstration only".
const char* text_of(Soundness soundness);

/// The line of --help about the random words: "Generator: MWC64X (sound)".
std::string generator_line(const Estimand& estimand);

// Of estimands whose streams draw paths, say, or points of a set.

/// The names of what streams draw, plural ("paths"), and of the units of work ("path-steps"); how many of these one drawn
/// number takes; and the points of the set from which a launch takes its numbers, 0 without a set.
struct Drawn {
    const char* numbers;
    const char* units;
    unsigned steps;
    std::uint64_t points;
};

/// Units of work in a launch; ignores spec.work. Throws UsageError beyond 2^63 units and beyond the points of the set.
std::uint64_t work_of_launch(const Drawn& drawn, const LaunchSpec& spec);

/// The warning about a launch of so many numbers, if the points of a set are not a power of two.
std::vector<Warning> uneven_points(const Drawn& drawn, std::uint64_t numbers);

}  // namespace bench
