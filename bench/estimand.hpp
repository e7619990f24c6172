// The seam between the harness, which runs, times and keeps, and what published counts mean.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/contract.hpp"
#include "bench/measure/statistics.hpp"
#include "bench/work.hpp"

namespace bench {

class Tally;

/// Sums of whole numbers that launches add to: exact, so it does not matter who added them, and in which order.
using Row = std::vector<Uint128>;

/// The sums of so many launches.
struct Sums {
    std::uint64_t launches = 0;
    Row row;

    bool operator==(const Sums&) const = default;
};

/// The unit of work: rates are in <many> per nanosecond.
struct Unit {
    const char* one;   // "path-step"
    const char* many;  // "path-steps", also the option that sets a goal
};

/// What an estimate is told for.
enum class Occasion {
    one_launch,  // of a profile
    timed,       // a run until its rate is known
    pooled       // a run of fixed work, for the estimate's sake
};

/// Variance of an estimate, relative to that of as many independent units of work.
struct VarianceRatio {
    double value;
    std::string origin;  // in words: what is known, what was measured
};

/// What the counts of a step mean: their unit, their sums, the verdict on them, and the estimate they lead to.
class Estimand {
 public:
    virtual ~Estimand() = default;

    virtual Unit unit() const = 0;
    virtual const char* generator() const = 0;  // of the random words, in words
    virtual Soundness soundness() const = 0;

    /// Units of work in a launch of `work`, whose own figure is not looked at. Throws UsageError where there can be no such
    /// launch.
    virtual std::uint64_t work_of_launch(const Work& work) const = 0;

    /// Fewest launches that can be judged.
    virtual std::uint64_t least_launches() const { return 1; }

    /// Sums of a row.
    virtual std::size_t width() const = 0;

    /// The row of one launch by the counts that it published. Throws VerdictError where one was left unwritten, or cannot be.
    virtual Row row_of(std::span<const Count> published, const Work& work) const = 0;

    /// Units of work that these launches did.
    virtual std::uint64_t work_of(const Sums& sums, const Work& work) const = 0;

    /// Throws VerdictError unless the counts are what chance can make of the work.
    virtual void judge(const Tally& tally) const = 0;

    /// Throws std::invalid_argument, which says why, where no launches can lead to this tally: of a checkpoint.
    virtual void check(const Tally& tally) const = 0;

    /// The fields of "outcome" in a result (docs/schema.md).
    virtual nlohmann::ordered_json outcome(const Tally& tally) const = 0;

    /// A point of the trace in a result.
    virtual nlohmann::ordered_json point(const Sums& sums, const Work& work) const = 0;

    /// The lines of a report that tell the estimate.
    virtual std::string report(const Tally& tally, Occasion occasion) const = 0;

    /// The estimate so far, for the progress line.
    virtual std::string estimate_so_far(const Tally& tally) const = 0;

    /// Nothing where the units are independent, or where it cannot be told.
    virtual std::optional<VarianceRatio> variance_ratio(const Tally& tally) const = 0;

    /// What the user should know of a finished run.
    virtual std::vector<std::string> warnings(const Tally& tally, Occasion occasion) const = 0;
};

}  // namespace bench
