// The texts of an estimand of a solution.
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/estimands/solution/solution.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

/// What histories leave out, if that is not small beside the error by chance.
std::string ends_text(const MeasuredSolution& measured) {
    const double most = measured.what().ends.most;
    return most > 0.1 * *measured.predicted_error() ? fmt::format(" by chance, up to {:.2g} by their ends", most) : "";
}

std::string error_text(const MeasuredSolution& measured) {
    const auto relative = measured.relative_error();
    return relative ? fmt::format("relative error {:.3g} (predicted {:.3g}{})", *relative, *measured.predicted_error(),
                                  ends_text(measured))
                    : "not compared with the exact one";
}

std::string judged_text(const SolutionOf& what) {
    const auto judged = std::count(what.judged.begin(), what.judged.end(), true);
    return what.judged.empty() ? ""
                               : fmt::format(" of the {} of {} entries that are judged,",
                                             grouped(static_cast<std::uint64_t>(judged)), grouped(what.entries));
}

std::string estimate_line(const MeasuredSolution& measured) {
    const std::string from = fmt::format("from {} {}", grouped(measured.histories()), measured.what().history_many);
    const std::string& why = measured.what().no_estimate;
    return line(measured.what().quantity,
                why.empty() ? fmt::format("{}{} {}", error_text(measured), judged_text(measured.what()), from)
                            : fmt::format("no estimate {}: {}", from, why));
}

std::string length_line(const MeasuredSolution& measured) {
    const SolutionOf& what = measured.what();
    const auto deviation = measured.length_deviation();
    std::string text = fmt::format("{:.6g} {} per {}", measured.length(), what.unit_many, what.history_one);
    if (what.length.variance) text += fmt::format(" (exact {:.6g}", what.length.mean);
    if (deviation) text += fmt::format(", {:+.2f} sd", deviation->sigma);
    return line("length", text + (what.length.variance ? ")" : ""));
}

std::string residual_line(const MeasuredSolution& measured) {
    const auto ratio = measured.residual();
    return ratio ? line("residual", fmt::format("squared norm {:.4g} times the predicted one, {:+.2f} sd", ratio->ratio,
                                                (ratio->ratio - 1) / ratio->sd))
                 : "";
}

std::string worst_text(const std::optional<Worst>& worst, const char* of) {
    return worst ? fmt::format("worst of {} {} {:+.2f} sd", worst->of, of, worst->deviation.sigma) : "";
}

std::string merit_line(const MeasuredSolution& measured) {
    const auto merit = measured.merit();
    return merit ? line("merit", fmt::format("K = {:.4g}: {:.3g} {} for a relative error of 1 %", *merit, *merit * 1e4,
                                             measured.what().unit_many))
                 : "";
}

std::string verdict_line(const MeasuredSolution& measured) {
    std::vector<std::string> texts = {worst_text(measured.worst_functional(), "functionals"),
                                      worst_text(measured.worst_group(), "groups")};
    texts.erase(std::remove(texts.begin(), texts.end(), ""), texts.end());
    return texts.empty() ? "" : line("checks", fmt::format("{}", fmt::join(texts, ", ")));
}

std::string dispersion_line(const MeasuredSolution& measured) {
    const auto ratio = measured.dispersion();
    return ratio ? line("variance", fmt::format("{:.3g} +- {:.1g} of the exact one over {} launches", ratio->ratio,
                                                ratio->sd, measured.launches()))
                 : "";
}

}  // namespace

std::string Solution::report(const Tally& tally, Occasion occasion) const {
    const MeasuredSolution measured(*this, tally.state().sums, tally.spec());
    const std::string text = what_.system_lines + estimate_line(measured) + length_line(measured) +
                             residual_line(measured) + verdict_line(measured);
    return occasion == Occasion::one_launch ? text : text + dispersion_line(measured) + merit_line(measured);
}

std::string Solution::estimate_so_far(const Tally& tally) const {
    const MeasuredSolution measured(*this, tally.state().sums, tally.spec());
    return what_.no_estimate.empty() ? error_text(measured) : "no estimate";
}

std::vector<Warning> Solution::warnings(const Tally& tally, Occasion) const {
    const MeasuredSolution measured(*this, tally.state().sums, tally.spec());
    const auto systematic = measured.systematic_error(), predicted = measured.predicted_error();
    if (!systematic || !(*systematic > *predicted)) {
        return {};
    }
    const bool by_ends = what_.ends.most > *predicted;
    return {Warning{
        "bias",
        fmt::format("{} may be as large as {:.2g} of x, more than the error by chance: more histories do not reduce it",
                    by_ends ? "what histories leave out because they end" : "the known bias",
                    by_ends ? what_.ends.most : *systematic)}};
}

}  // namespace bench
