// The texts of an estimand of means.
#include <fmt/format.h>

#include <algorithm>

#include "bench/estimands/means/means.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

/// A value up to the second digit of its standard deviation; six decimals without one.
std::string value_text(const MeasuredMean& mean) {
    constexpr int usual = 6;
    const int decimals = mean.sd && *mean.sd > 0 ? decimals_to(*mean.sd) + 1 : usual;
    return fmt::format("{:.{}f}", mean.value, decimals);
}

std::string sd_text(const MeasuredMean& mean) { return mean.sd ? fmt::format(" +- {:.2g}", *mean.sd) : ""; }

std::string deviation_text(const std::optional<Deviation>& deviation, Occasion occasion) {
    if (!deviation) {
        return occasion == Occasion::one_launch ? "; one launch has no error estimate"
                                                : "; too few launches for an error";
    }
    return fmt::format(", {:+.2f} sd", deviation->sigma);
}

std::string known_text(const Expected& known) {
    return known.sd > 0 ? fmt::format("{:.10g} +- {:.2g}", known.value, known.sd) : fmt::format("{:.10g}", known.value);
}

std::string estimate_line(const MeasuredMeans& measured, Occasion occasion) {
    const MeansOf& what = measured.what();
    const MeasuredMean estimate = measured.estimate();
    const Expected expected = expected_estimate(what);
    return line(what.quantity,
                fmt::format("{}{} from {} {} (expected {}{})", value_text(estimate), sd_text(estimate),
                            grouped(measured.numbers()), what.number, known_text(expected),
                            what.constant ? "" : deviation_text(deviation(estimate, expected), occasion)));
}

std::string statistic_line(const MeasuredMeans& measured, std::size_t i, Occasion occasion) {
    const Statistic& statistic = measured.what().statistics[i];
    const MeasuredMean mean = measured.mean(i);
    return line(statistic.name,
                fmt::format("{}{} (exact {}{})", value_text(mean), sd_text(mean), known_text(statistic.mean),
                            deviation_text(deviation(mean, statistic.mean), occasion)));
}

}  // namespace

std::string Means::report(const Tally& tally, Occasion occasion) const {
    const MeasuredMeans measured(*this, tally.state().sums, tally.spec());
    std::string text = estimate_line(measured, occasion);
    for (std::size_t i = 1; !what_.constant && i < what_.statistics.size(); i++) {
        text += statistic_line(measured, i, occasion);
    }
    return text;
}

std::string Means::estimate_so_far(const Tally& tally) const {
    const MeasuredMean estimate = MeasuredMeans(*this, tally.state().sums, tally.spec()).estimate();
    return value_text(estimate) + sd_text(estimate);
}

}  // namespace bench
