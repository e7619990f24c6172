// Reads the sums of launches of an estimand of a solution.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/estimands/chance/limits.hpp"
#include "bench/estimands/solution/solution.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

double root_mean_square(const std::vector<double>& values) {
    const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
    return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

MeasuredSolution::MeasuredSolution(const Solution& solution, const Sums& sums, const LaunchSpec& spec)
    : solution_(solution),
      what_(solution.what()),
      columns_(solution.columns()),
      sums_(sums),
      of_launch_(solution.histories_of_launch(spec)) {}

std::optional<Deviation> MeasuredSolution::length_deviation() const {
    const auto& [mean, variance] = what_.length;
    if (!variance || *variance == 0) {
        return std::nullopt;
    }
    const auto n = static_cast<double>(histories());
    const auto off = static_cast<double>(transitions() - static_cast<long double>(n) * mean);
    return deviation(off, std::sqrt(n * *variance), {0});
}

std::optional<Spread> MeasuredSolution::length_spread() const {
    const CountSums of_launches = {launches(), transitions(), sums_.row[SolutionColumns::squares]};
    const auto measured = of_launches.variance();
    const auto known = what_.length.variance;
    if (launches() < least_units || !measured || !known || *known == 0) {
        return std::nullopt;
    }
    return spread_of_units(*measured / (*known * static_cast<double>(of_launch_)), launches(), "launches");
}

double MeasuredSolution::error(const JudgedSum& sum, std::size_t column) const {
    const auto n = static_cast<long double>(launches());
    const auto steps =
        static_cast<Int128>(sums_.row[column]) - static_cast<Int128>(SolutionColumns::zero_place * launches());
    return static_cast<double>(static_cast<long double>(steps) * SolutionColumns::grid * sum.sd(of_launch_) / n);
}

std::vector<double> MeasuredSolution::functional_errors() const {
    std::vector<double> errors;
    for (std::size_t column = SolutionColumns::functionals; column < columns_.chi_squared; column++) {
        errors.push_back(error(solution_.functional(errors.size()), column));
    }
    return errors;
}

std::optional<double> MeasuredSolution::relative_error() const {
    std::vector<double> errors = functional_errors();
    if (errors.empty()) {
        return std::nullopt;
    }
    const std::vector<double>& left_out = what_.ends.of_functionals;
    std::transform(left_out.begin(), left_out.end(), errors.begin(), errors.begin(),
                   [](double left, double error) { return error - left; });
    return root_mean_square(errors) / solution_.judged_norm();
}

std::optional<double> MeasuredSolution::predicted_error() const { return solution_.predicted_error(histories()); }

std::optional<double> MeasuredSolution::systematic_error() const {
    std::vector<double> within;
    for (std::size_t k = 0; k < functionals(); k++) within.push_back(solution_.functional(k).exact.within);
    if (within.empty()) {
        return std::nullopt;
    }
    const std::vector<double>& left_out = what_.ends.of_functionals;
    return (root_mean_square(within) + (left_out.empty() ? 0 : root_mean_square(left_out))) / solution_.judged_norm();
}

std::optional<Worst> MeasuredSolution::worst_of(std::size_t count, std::size_t first_column,
                                                const std::function<JudgedSum(std::size_t)>& sum_of) const {
    std::optional<Worst> worst;
    const double limit = shared_sigma_limit(std::max<std::size_t>(1, count));
    double most = -1;
    for (std::size_t i = 0; i < count; i++) {
        const JudgedSum sum = sum_of(i);
        const double sd = sum.sd(of_launch_) / std::sqrt(static_cast<double>(launches()));
        const Deviation off = deviation(error(sum, first_column + i), sd, {0, 0, sum.exact.within}, limit);
        const double part = std::abs(off.sigma) / off.limit;
        if (!(part <= most)) {
            worst = Worst{i, count, off};
            most = part;
        }
    }
    return worst;
}

std::optional<Worst> MeasuredSolution::worst_functional() const {
    return worst_of(functionals(), SolutionColumns::functionals,
                    [&](std::size_t k) { return solution_.functional(k); });
}

std::optional<Worst> MeasuredSolution::worst_group() const {
    return worst_of(columns_.entries - columns_.groups, columns_.groups,
                    [&](std::size_t g) { return solution_.group(g); });
}

std::optional<Spread> MeasuredSolution::chi_squared() const {
    const auto rank = static_cast<double>(solution_.whitening().rank());
    if (rank == 0) {
        return std::nullopt;
    }
    std::vector<double> errors = functional_errors();
    for (double& error : errors) error *= std::sqrt(static_cast<double>(histories()));
    return Spread{solution_.whitening().squared_length(errors) / rank, std::sqrt(2 / rank),
                  solution_.chi_squared_range(histories())};
}

std::optional<Spread> MeasuredSolution::dispersion() const {
    const auto together = chi_squared();
    if (!together || launches() < 2) {
        return std::nullopt;
    }
    const auto rank = static_cast<double>(solution_.whitening().rank());
    const double degrees = rank * static_cast<double>(launches() - 1);
    return Spread{(solution_.chi_squared_of_launch(sums_.row) - together->ratio * rank) / degrees,
                  std::sqrt(2 / degrees), chi_squared_limits(degrees)};
}

std::optional<Spread> MeasuredSolution::residual() const {
    if (columns_.residual == columns_.groups) {
        return std::nullopt;
    }
    const Residual& residual = *what_.residual;
    const auto n = static_cast<double>(launches());
    const double mean = static_cast<double>(sums_.row[columns_.residual]) * SolutionColumns::grid * residual.sd / n;
    const double relative_sd = residual.sd / residual.mean / std::sqrt(n);
    // A chi-squared variable with this mean and this standard deviation (Satterthwaite's approximation).
    Limits limits = chi_squared_limits(2 / (relative_sd * relative_sd));
    const double within = residual.within * static_cast<double>(of_launch_) / residual.mean;
    return Spread{mean / residual.mean, relative_sd, {limits.low - within, limits.high + within}};
}

std::optional<double> MeasuredSolution::merit() const {
    if (!what_.no_estimate.empty()) {
        return std::nullopt;
    }
    return what_.variance * length() / (what_.norm * what_.norm);
}

double MeasuredSolution::entry(std::size_t j) const {
    const auto units = static_cast<Int128>(sums_.row[columns_.entries + j]) -
                       static_cast<Int128>(SolutionColumns::zero_entry * launches());
    return static_cast<double>(static_cast<long double>(units) * solution_.unit_of_estimate(histories()));
}

}  // namespace bench
