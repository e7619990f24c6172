#include "bench/estimands/chance/launches.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimands/chance/limits.hpp"

namespace bench {
namespace {

/// Probability, at most, that a Poisson variable reaches `k`: the Chernoff bound (Mitzenmacher and Upfal, "Probability
/// and Computing", theorem 5.4).
double most_chance(double mean, double k) {
    return k <= mean ? 1 : mean == 0 ? 0 : std::exp(k - mean + k * std::log(mean / k));
}

/// Judges the sums of all parts over so many launches.
void judge_parts(const std::vector<std::uint64_t>& sums, std::uint64_t launches, double chance_of_same) {
    constexpr std::uint64_t least_launches = 8;
    constexpr double rare_enough = 1e-12;
    const auto n = static_cast<double>(sums.size());
    const double by_chance = n * (n - 1) / 2 * std::pow(chance_of_same, static_cast<double>(launches));
    if (launches < least_launches || !(by_chance < rare_enough)) {
        return;
    }
    std::map<std::uint64_t, std::size_t> first;
    for (std::size_t part = 0; part < sums.size(); part++) {
        const auto [other, is_new] = first.emplace(sums[part], part);
        if (!is_new) {
            throw VerdictError(fmt::format("blocks {} and {} published the same in all of {} launches", other->second,
                                           part, launches));
        }
    }
}

}  // namespace

void judge_extremes(std::uint64_t launches, double variance, double least_off, double most_off, const char* counted) {
    if (launches < least_units) {
        return;
    }
    for (const double off : {least_off, most_off}) {
        if (is_outlier(off, static_cast<double>(launches), variance)) {
            throw VerdictError(fmt::format("a launch is {:+.6g} {} from the mean of all {}, far outside the others",
                                           off, counted, launches));
        }
    }
}

void judge_extremes(const CountSums& of_launches, const char* counted) {
    const auto variance = of_launches.variance();
    if (!variance) {
        return;
    }
    const long double mean = static_cast<long double>(of_launches.sum) / of_launches.count;
    judge_extremes(of_launches.count, *variance, static_cast<double>(of_launches.least - mean),
                   static_cast<double>(of_launches.most - mean), counted);
}

void judge_repeats(const Tally& tally, double chance, const char* published) {
    const Fingerprints& prints = tally.state().fingerprints;
    const auto launches = static_cast<double>(tally.launches());
    if (prints.repeats() == 0 || launches * chance > 1) {
        return;
    }
    const auto kept = static_cast<double>(prints.kept().size());
    const double expected = launches * (launches - 1) / 2 * chance * (kept / launches);
    if (!(most_chance(expected, static_cast<double>(prints.repeats())) >= false_alarm_rate())) {
        throw VerdictError(fmt::format("{} of {} launches published the same {} as another one", prints.repeats(),
                                       prints.kept().size(), published));
    }
}

void judge_parts(const Tally& tally) {
    const auto& [before, parts_before] = tally.restored();
    const PartPrints& parts = tally.state().parts;
    const double chance = tally.parts().chance_of_same;
    judge_parts(parts.sums(), tally.launches(), chance);
    if (before > 0) {
        judge_parts(parts_before.sums(), before, chance);
        judge_parts(parts.sums_since(parts_before), tally.launches() - before, chance);
    }
}

}  // namespace bench
