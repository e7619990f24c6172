#include "kernels/mcls/analysis/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "kernels/mcls/analysis/components.hpp"

namespace mcls {
namespace {

constexpr std::uint64_t most_steps = 20'000;

// S^k 1 within a component, until all entries are below 1, one has become huge, or k is large.
SecondMoments follow(const Sparse& squares, const Components& components, std::uint32_t component) {
    constexpr double huge = 1e6;
    const std::span<const std::uint32_t> states = components.states_of(component);
    std::vector<double> values(states.size(), 1), next(states.size());
    // Of states: in a cycle, all of them come before one again.
    constexpr std::size_t most_visits = std::size_t{1} << 31;
    const std::uint64_t most = std::max(most_steps, std::min(states.size(), most_visits / states.size()));
    SecondMoments result{.finite = false, .largest = 1, .steps = 0};
    while (!result.finite && result.largest < huge && result.steps < most) {
        for (std::size_t i = 0; i < states.size(); ++i) {
            next[i] = 0;
            for (std::uint64_t entry = squares.first[states[i]]; entry < squares.first[states[i] + 1]; ++entry) {
                if (components.component[squares.column[entry]] == component) {
                    next[i] += squares.value[entry] * values[components.place[squares.column[entry]]];
                }
            }
        }
        std::swap(values, next);
        result.largest = *std::max_element(values.begin(), values.end());
        result.finite = result.largest < 1;
        ++result.steps;
    }
    return result;
}

// The terms of the Neumann series, until one has grown, has shrunk, or there are many.
struct Terms {
    double last = 1, largest_of_first_half = 1;  // relative to the first one
    std::uint64_t sweeps = 0;
    bool grow = false;
};

Terms terms_of(const Splitting& splitting) {
    constexpr double grown = 1e5, shrunk = 1e-3, more_than_rounding = 1 + 1e-6;
    const double first = norm(splitting.b);
    std::vector<double> term = splitting.b;
    Terms found;
    while (found.last < grown && found.last > shrunk && found.sweeps < most_steps) {
        term = product(splitting.h, term);
        found.last = norm(term) / first;
        ++found.sweeps;
        if (found.sweeps <= most_steps / 2) {
            found.largest_of_first_half = std::max(found.largest_of_first_half, found.last);
        }
    }
    found.grow = !(found.last < grown) || found.last > more_than_rounding * found.largest_of_first_half;
    return found;
}

}  // namespace

void require_convergence(const Splitting& splitting) {
    const Terms terms = terms_of(splitting);
    if (terms.last < 1) {
        return;
    }
    throw bench::UsageError(
        terms.grow ? fmt::format("Neumann series diverges: residual grew from 1.0 to {:.2g} in {} sweeps", terms.last,
                                 terms.sweeps)
                   : fmt::format("Neumann series not shown to converge: residual still {:.2g} after {} sweeps",
                                 terms.last, terms.sweeps));
}

Dominant dominant_vector(const Sparse& m, int sweeps) {
    Dominant found{.vector = std::vector<double>(m.n, 1), .radius = 0};
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        const std::vector<double> next = product(m, found.vector);
        found.radius = norm(next) / norm(found.vector);
        std::transform(next.begin(), next.end(), found.vector.begin(), found.vector.begin(), std::plus<>());
        const double largest = *std::max_element(found.vector.begin(), found.vector.end());
        for (double& value : found.vector) {
            value /= largest;
        }
    }
    return found;
}

SecondMoments second_moments_shown(const Histories& histories) {
    const Sparse squares = squared(histories);
    const Components found = components(histories.b);
    SecondMoments result{.finite = true, .largest = 0, .steps = 0};
    for (std::uint32_t component = 0; component < found.size() && result.finite; ++component) {
        const SecondMoments within = follow(squares, found, component);
        if (!within.finite || within.steps > result.steps) {
            result = within;
        }
    }
    if (!result.finite) {
        result.radius = dominant_vector(absolute(histories.b), 500).radius;
    }
    return result;
}

std::string why_not_finite(const SecondMoments& shown) {
    return fmt::format(
        "second moments not shown finite: max Ĥ^k 1 still {:.2g} after {} steps; the spectral radius of |H| is about "
        "{:.4g}",
        shown.largest, shown.steps, shown.radius);
}

void require_finite_variance(const SecondMoments& shown, bool has_option) {
    if (!shown.finite) {
        throw bench::UsageError(why_not_finite(shown) +
                                (has_option ? "; --infinite-variance times it without an estimate" : ""));
    }
}

}  // namespace mcls
