#include "kernels/mcls/solve/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "bench/errors.hpp"
#include "kernels/mcls/analysis/column_scales.hpp"
#include "kernels/mcls/analysis/convergence.hpp"
#include "kernels/mcls/analysis/exact.hpp"
#include "kernels/mcls/analysis/histories.hpp"
#include "kernels/mcls/analysis/mean_visits.hpp"
#include "kernels/mcls/problem/wish.hpp"
#include "kernels/mcls/tables/tables.hpp"

namespace mcls {
namespace {

constexpr double default_cutoff = 1e-2;  // what it leaves out is in the next residual
constexpr std::uint64_t default_steps = 10'000;

std::optional<Histories> absorbing_if_possible(const Splitting& splitting) {
    try {
        Histories histories = absorbing(splitting, Method::adjoint);
        return row_above_one(histories.b) ? std::nullopt : std::optional(std::move(histories));
    } catch (const bench::UsageError&) {
        return std::nullopt;
    }
}

void require_finite_moments(const Splitting& splitting, const Histories& histories) {
    const SecondMoments shown = second_moments_shown(histories);
    if (shown.finite) {
        return;
    }
    require_convergence(splitting);
    throw bench::UsageError(why_not_finite(shown));
}

double growth_of(Histories histories, const Sparse& h) {
    if (const auto visits = mean_visits(absolute(h))) {
        return visits->largest();
    }
    std::fill(histories.source.begin(), histories.source.end(), 1.0);
    return tally_size(histories).mean;
}

/// The equations times factors that leave ones on the diagonal, where this matters: else a norm of the residual would see
/// the largest rows alone. LAPACK's xLAQGE scales rows by the same limit.
System with_equal_rows(System system) {
    constexpr double least = 0.1;
    const std::vector<double> d = diagonal_of(system.a);
    const auto [smallest, largest] =
        std::minmax_element(d.begin(), d.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (std::abs(*smallest) >= least * std::abs(*largest)) {
        return system;
    }
    for (std::uint32_t row = 0; row < system.a.n; ++row) {
        for (std::uint64_t entry = system.a.first[row]; entry < system.a.first[row + 1]; ++entry) {
            system.a.value[entry] /= d[row];
        }
        system.b[row] /= d[row];
    }
    return system;
}

}  // namespace

int SolveProblem::bits_of(const Sizes& residual, std::uint64_t histories) const {
    constexpr int bits_of_first = 28;  // shared memory has the lower 32 bits of tallies
    const TallySize size = {growth * residual.largest, residual.sum};
    const int bits = named(system, [&] { return mcls::bits_of(size, histories); });
    return std::min(bits, bits_of_first - 1 - std::ilogb(size.of_entry));
}

std::vector<double> SolveProblem::x_of(std::vector<double> walked) const {
    if (!back.empty()) {
        std::transform(walked.begin(), walked.end(), back.begin(), walked.begin(), std::multiplies<>());
    }
    return walked;
}

SolveProblem solve_problem(System system, double cutoff) {
    Splitting split = named(system, [&] { return jacobi(system); });
    const int exponent = exponent_of(split.b);
    split.b = scaled(std::move(split.b), -exponent);
    ScaledSplitting walked = named(system, [&] { return scaled_for_walks(std::move(split)); });
    system = with_equal_rows(std::move(system));  // H and b of its splitting stay the same
    Splitting& splitting = walked.splitting;
    std::optional<Histories> absorbed = cutoff == 0 ? absorbing_if_possible(splitting) : std::nullopt;
    const Sampling sampling = absorbed ? Sampling::absorbing : Sampling::almost_optimal;
    if (cutoff == 0) cutoff = default_cutoff;
    Histories histories =
        absorbed ? *std::move(absorbed) : almost_optimal(splitting, Method::adjoint, default_steps, cutoff);
    named(system, [&] { require_finite_moments(splitting, histories); });
    AliasTable rows = named(system, [&] { return alias_table(histories.b, sampling); });
    const Limits limits = {static_cast<std::uint32_t>(std::min(histories.steps, most_steps)), histories.cutoff};
    const int exponent_of_c = exponent_of(scaled(system.b, -exponent));
    std::vector<double> diagonal = scaled(diagonal_of(system.a), -exponent_of_c), back = walked.back();
    for (std::size_t i = 0; i < back.size(); ++i) {
        diagonal[i] *= back[i];
    }
    const double growth = growth_of(std::move(histories), splitting.h);
    return {.system = std::move(system),
            .splitting = std::move(splitting),
            .exponent = exponent,
            .back = std::move(back),
            .diagonal = std::move(diagonal),
            .sampling = sampling,
            .rows = std::move(rows),
            .limits = limits,
            .growth = growth};
}

TrueResidual residual_of(const System& system, const std::vector<double>& x) {
    const Sparse& a = system.a;
    std::vector<double> residual, rounding;
    for (std::uint32_t row = 0; row < a.n; ++row) {
        double sum = system.b[row], sizes = std::abs(sum);
        for (std::uint64_t entry = a.first[row]; entry < a.first[row + 1]; ++entry) {
            const double part = a.value[entry] * x[a.column[entry]];
            sum -= part;
            sizes += std::abs(part);
        }
        residual.push_back(sum);
        const double roundings = 2.0 * static_cast<double>(a.columns_of(row).size() + 1);
        rounding.push_back(roundings * std::numeric_limits<double>::epsilon() * sizes);
    }
    const double size = norm(system.b);
    return size == 0 ? TrueResidual{0, 0} : TrueResidual{norm(residual) / size, norm(rounding) / size};
}

void require_residual(const System& system, const std::vector<double>& x, double claimed) {
    const TrueResidual found = residual_of(system, x);
    constexpr double agreement = 1e-6;
    if (!(std::abs(found.relative - claimed) <= agreement * claimed + 2 * found.rounding)) {
        throw bench::VerdictError(
            fmt::format("the residual of the solution is {:.3g}, not {:.3g}", found.relative, claimed));
    }
}

}  // namespace mcls
