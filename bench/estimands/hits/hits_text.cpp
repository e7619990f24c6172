// The texts of an estimand of hits.
#include <fmt/format.h>

#include <algorithm>

#include "bench/estimands/hits/hits.hpp"
#include "bench/estimands/hits/law.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

/// The values that the texts show.
struct Told {
    Soundness soundness;
    Law law;
    Outcome outcome;
    std::optional<VarianceRatio> chance;  // empty if unknown
    const char* without;                  // shown instead
};

Told told(const Tally& tally, Occasion occasion) {
    const CountedHits counted(tally);
    return {tally.estimand().soundness(), counted.law(), counted.outcome(),
            uncertainty(counted.law(), counted.spread()),
            occasion == Occasion::one_launch ? "one launch has no error estimate" : "too few launches for an error"};
}

std::string origin_text(const Told& t) {
    const std::string samples = fmt::format("from {} samples", grouped(t.outcome.samples));
    return t.chance ? fmt::format("{}, {:+.2f} sd from its expectation", samples,
                                  sigma(t.outcome, t.law.expected, t.chance->value))
                    : fmt::format("{}; {}", samples, t.without);
}

double sd_of(const Told& t) { return estimate_sd(t.outcome, t.law.expected, t.chance->value); }

/// Nine decimals, or more if the standard deviation is smaller.
std::string estimate_text(const Told& t) {
    constexpr int usual = 9;
    return fmt::format("{:.{}f}", estimate(t.outcome), t.chance ? std::max(usual, decimals_to(sd_of(t))) : usual);
}

std::string estimate_line(const Told& t) { return line("pi", fmt::format("{} {}", estimate_text(t), origin_text(t))); }

/// A reservation about the standard deviation.
const char* reservation(const Told& t, double sd) {
    if (t.law.independent == Independent::launches) {
        return ", as measured";
    }
    const bool doubtful = t.soundness == Soundness::demonstration && sd > 0;
    return doubtful ? " for independent samples, which its generator does not fully provide" : "";
}

/// The line of a pooled run.
std::string pooled_estimate_line(const Told& t) {
    const double sd = sd_of(t);
    return line("pi",
                fmt::format("{} +- {:.2g} (1 sd{}) {}", estimate_text(t), sd, reservation(t, sd), origin_text(t)));
}

std::string believed_text(const Outcome& outcome, double bound) {
    const std::string reason = fmt::format("bias and two sd come to {:.2g}", bound);
    const auto decimals = believed_decimals(bound);
    return decimals ? fmt::format("{:.{}f} ({}; right to +-1 in the last digit)", estimate(outcome), *decimals, reason)
                    : fmt::format("no digit ({})", reason);
}

std::string pooled_lines(const Told& t) {
    const Expectation& expected = t.law.expected;
    const std::string bias_line =
        line("bias", fmt::format("{:+.3g} known, from coordinates and generator (4P - pi)", bias(expected)));
    if (!t.chance) {
        return estimate_line(t) + bias_line;
    }
    return pooled_estimate_line(t) + bias_line +
           line("believed", believed_text(t.outcome, error_bound(t.outcome, expected, t.chance->value)));
}

}  // namespace

std::string Hits::report(const Tally& tally, Occasion occasion) const {
    const Told t = told(tally, occasion);
    return occasion == Occasion::pooled ? pooled_lines(t) : estimate_line(t);
}

/// Shows decimals up to the first digit of the standard deviation; four without one.
std::string Hits::estimate_so_far(const Tally& tally) const {
    const Told t = told(tally, Occasion::pooled);
    return t.chance ? fmt::format("{:.{}f} +- {:.1g}", estimate(t.outcome), decimals_to(sd_of(t)), sd_of(t))
                    : fmt::format("{:.4f}", estimate(t.outcome));
}

std::optional<VarianceRatio> Hits::variance_ratio(const Tally& tally) const {
    const CountedHits counted(tally);
    const Law& law = counted.law();
    const auto spread = counted.spread();
    auto ratio = uncertainty(law, spread);
    if (law.independent == Independent::samples || !ratio) {
        return std::nullopt;
    }
    const bool is_known = law.independent != Independent::launches;
    if (is_known)
        ratio->origin = fmt::format("variance {:.3g} of the binomial{}", law.variance_ratio, spread ? ", " : "");
    if (!is_known) ratio->origin = "variance ";
    if (spread) {
        ratio->origin += fmt::format("{:.3g} +- {:.1g}{} measured over {} {}", spread->ratio, spread->sd,
                                     is_known ? "" : " of the binomial", grouped(spread->units), spread->over);
    }
    return ratio;
}

}  // namespace bench
