// The estimand of steps that count hits: pi is four times the fraction of samples that hit.
#pragma once

#include <optional>

#include "bench/estimand.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/hits/law.hpp"
#include "bench/estimands/hits/source.hpp"
#include "bench/tally.hpp"

namespace bench {

/// A row has three sums: of the hits, of the squares of each unit's hits, and of the squares of each launch's hits.
class Hits : public Estimand {
 public:
    explicit Hits(const HitsOf& what) : what_(what) {}

    const HitsOf& what() const { return what_; }

    /// The known distribution of the hits of launches with `iters` samples per thread.
    Law law(unsigned iters) const;

    Unit unit() const override { return {"sample", "samples"}; }
    const char* generator() const override { return what_.source.generator; }
    Soundness soundness() const override { return what_.source.soundness; }
    const char* precision() const override { return "its standard deviation, its bias and the digits to believe"; }
    std::uint64_t work_of_launch(const LaunchSpec& spec) const override;
    std::uint64_t least_launches() const override { return bench::least_launches(what_.independent); }
    std::size_t width() const override { return 3; }
    std::optional<Replay> replay(const LaunchSpec& spec, const Problem*, double samples) const override;
    Parts parts(const LaunchSpec& spec) const override;
    Row row_of(std::span<const Count> published, const LaunchSpec& spec) const override;
    std::uint64_t work_of(const Sums& sums, const LaunchSpec& spec) const override;
    void judge(const Tally& tally) const override;
    void check(const Tally& tally) const override;
    nlohmann::ordered_json outcome(const Tally& tally) const override;
    nlohmann::ordered_json point(const Sums& sums, const LaunchSpec& spec) const override;
    std::string report(const Tally& tally, Occasion occasion) const override;
    std::string estimate_so_far(const Tally& tally) const override;
    std::optional<VarianceRatio> variance_ratio(const Tally& tally) const override;
    std::vector<Warning> warnings(const Tally& tally, Occasion occasion) const override;

 private:
    HitsOf what_;
};

/// Reads a tally of hits.
class CountedHits {
 public:
    /// Throws std::bad_cast if the tally has another estimand.
    explicit CountedHits(const Tally& tally);

    const Law& law() const { return law_; }
    const Tally& tally() const { return tally_; }
    /// The blocks of a launch, if they are the units whose hits are compared; 1 if these are the launches.
    std::uint64_t units_per_launch() const { return units_per_launch_; }
    std::uint64_t samples_per_launch() const { return tally_.spec().work; }

    /// All launches together.
    Outcome outcome() const;

    /// The hits of each unit, and of each launch with the extremes.
    CountSums unit_hits() const;
    CountSums launch_hits() const;

    /// The spread of the units and that of whole launches; see spread_of.
    std::optional<Spread> spread() const;
    std::optional<Spread> launch_spread() const;

 private:
    const Tally& tally_;
    Law law_;
    std::uint64_t units_per_launch_;
};

/// The variance of a run's hits over the binomial one; empty for point sets of fewer than least_units launches.
std::optional<VarianceRatio> uncertainty(const Law& law, const std::optional<Spread>& spread);

/// Throws VerdictError unless hits <= samples, samples > 0 and |sigma| <= sigma_limit. NaN fails.
void judge(const Outcome& outcome, const Expectation& expected, const VarianceRatio& uncertainty = {});

/// Throws VerdictError if a measured variance differs from the known one by more than chance and the law's tolerance
/// allow, of least_units units or more that a chi-squared distribution fits. For point sets only the upper limit applies.
void judge_spread(const Spread& spread, const Law& law, std::uint64_t samples_of_unit);

/// The verdict on a run, or on its launches so far. Throws VerdictError.
void judge(const CountedHits& counted);

}  // namespace bench
