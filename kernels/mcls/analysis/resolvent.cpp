#include "kernels/mcls/analysis/resolvent.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace mcls {
namespace {

// What elimination and sums within runs may cost, in multiplications: about a second.
constexpr double most_work = 1e9;
// Sums within a run keep the square of its length.
constexpr std::size_t longest_run = 2048;

// A vector's value of a state, or those of several vectors.
void subtract(double& y, double factor, double x) { y -= factor * x; }
void subtract(Lanes& y, double factor, const Lanes& x) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        y[lane] -= factor * x[lane];
    }
}
void scale(double& y, double by) { y *= by; }
void scale(Lanes& y, double by) {
    for (double& value : y) {
        value *= by;
    }
}
double largest(double y) { return std::abs(y); }
double largest(const Lanes& y) {
    double result = 0;
    for (const double value : y) {
        result = std::max(result, std::abs(value));
    }
    return result;
}

// y = c + M y within a component, for a y that begins as c.
template <class Value>
void sweep(const Sparse& m, const Components& components, std::uint32_t component, std::span<Value> y) {
    constexpr int most_sweeps = 1'000'000;
    const std::span<const std::uint32_t> states = components.states_of(component);
    std::vector<Value> c;
    c.reserve(states.size());
    for (const std::uint32_t state : states) {
        c.push_back(y[state]);
    }
    double change = 0, most = 0;
    int sweeps = 0;
    do {
        change = most = 0;
        for (std::size_t turn = 0; turn < states.size(); ++turn) {
            const std::size_t i = sweeps % 2 == 0 ? turn : states.size() - 1 - turn;  // one order may be slow
            const std::uint32_t state = states[i];
            Value value = c[i];
            for (std::uint64_t entry = m.first[state]; entry < m.first[state + 1]; ++entry) {
                if (components.component[m.column[entry]] == component) {
                    subtract(value, -m.value[entry], y[m.column[entry]]);
                }
            }
            subtract(y[state], 1, value);
            change = std::max(change, largest(y[state]));
            most = std::max(most, largest(value));
            y[state] = value;
        }
        if (!std::isfinite(most) || ++sweeps == most_sweeps) {
            throw std::runtime_error("Gauss-Seidel sweeps do not converge");
        }
    } while (change > 1e-6 * most);
}

// The largest distance from the diagonal.
std::uint32_t width_of(const Sparse& m, const Components& components, std::uint32_t component) {
    std::uint32_t width = 0;
    for (const std::uint32_t state : components.states_of(component)) {
        for (const std::uint32_t next : m.columns_of(state)) {
            if (components.component[next] == component) {
                const std::uint32_t a = components.place[state], b = components.place[next];
                width = std::max(width, a < b ? b - a : a - b);
            }
        }
    }
    return width;
}

// Of the inverse of a matrix, the entries between a state and some of those after it, for the states from the last one back.
class Inverse {
 public:
    explicit Inverse(std::size_t reach) : reach_(reach), after_(reach * reach), before_(reach * reach) {}

    double& operator()(std::size_t row, std::size_t column) {
        return row <= column ? after_[row % reach_ * reach_ + (column - row)]
                             : before_[column % reach_ * reach_ + (row - column)];
    }

 private:
    std::size_t reach_;
    std::vector<double> after_, before_;
};

}  // namespace

Resolvent::Resolvent(Sparse m) : m_(std::move(m)), components_(mcls::components(m_)), bands_(components_.size()) {
    for (std::uint32_t component = 0; component < components_.size(); ++component) {
        bands_[component] = eliminated(component);
    }
}

bool Resolvent::eliminates() const {
    return std::none_of(bands_.begin(), bands_.end(), [](const Band& band) { return band.value.empty(); });
}

Resolvent::Band Resolvent::eliminated(std::uint32_t component) const {
    const std::span<const std::uint32_t> states = components_.states_of(component);
    const auto size = static_cast<std::uint32_t>(states.size());
    Band lu{.width = width_of(m_, components_, component), .value = {}};
    if (static_cast<double>(size) * lu.width * lu.width > most_work) {
        return lu;
    }
    lu.value.resize(std::size_t{size} * (2 * lu.width + 1));
    for (std::uint32_t i = 0; i < size; ++i) {
        lu.at(i, i) = 1;
        for (std::uint64_t entry = m_.first[states[i]]; entry < m_.first[states[i] + 1]; ++entry) {
            if (components_.component[m_.column[entry]] == component) {
                lu.at(i, components_.place[m_.column[entry]]) -= m_.value[entry];
            }
        }
    }
    for (std::uint32_t k = 0; k < size; ++k) {
        const std::uint32_t end = std::min(k + lu.width, size - 1);
        for (std::uint32_t i = k + 1; i <= end; ++i) {
            lu.at(i, k) /= lu.at(k, k);
            for (std::uint32_t j = k + 1; j <= end; ++j) {
                lu.at(i, j) -= lu.at(i, k) * lu.at(k, j);
            }
        }
    }
    return lu;
}

template <class Value>
void Resolvent::solve_each(std::span<Value> y) const {
    for (std::uint32_t component = 0; component < components_.size(); ++component) {
        const std::span<const std::uint32_t> states = components_.states_of(component);
        const auto size = static_cast<std::uint32_t>(states.size());
        if (components_.size() > 1) {
            for (const std::uint32_t state : states) {
                for (std::uint64_t entry = m_.first[state]; entry < m_.first[state + 1]; ++entry) {
                    if (components_.component[m_.column[entry]] != component) {
                        subtract(y[state], -m_.value[entry], y[m_.column[entry]]);
                    }
                }
            }
        }
        const Band& lu = bands_[component];
        if (lu.value.empty()) {
            sweep(m_, components_, component, y);
            continue;
        }
        for (std::uint32_t i = 0; i < size; ++i) {
            for (std::uint32_t k = i - std::min(i, lu.width); k < i; ++k) {
                subtract(y[states[i]], lu.at(i, k), y[states[k]]);
            }
        }
        for (std::uint32_t i = size; i-- > 0;) {
            for (std::uint32_t k = i + 1; k <= std::min(i + lu.width, size - 1); ++k) {
                subtract(y[states[i]], lu.at(i, k), y[states[k]]);
            }
            scale(y[states[i]], 1 / lu.at(i, i));
        }
    }
}

void Resolvent::solve(std::span<Lanes> y) const { solve_each(y); }
void Resolvent::solve(std::span<double> y) const { solve_each(y); }

// With I - M = L U, the inverse Z obeys U Z = L^-1 and Z L = U^-1. From the last state back, the first gives Z_ij for j >= i and the
// second Z_ji, without entries that are farther apart. K. Takahashi, J. Fagan, M.-S. Chen, "Formation of a sparse bus impedance
// matrix and its application to short circuit study", PICA 1973.
std::optional<std::vector<double>> Resolvent::sums_within(std::span<const std::uint32_t> first,
                                                          std::span<const double> weight) const {
    std::vector<std::uint32_t> end_of(components_.state.size());  // of the run of each place
    for (std::size_t run = 0; run + 1 < first.size(); ++run) {
        std::fill(end_of.begin() + first[run], end_of.begin() + first[run + 1], first[run + 1]);
    }
    double work = 0;
    for (std::size_t place = 0; place < end_of.size(); ++place) {
        const Band& lu = bands_[components_.component[components_.state[place]]];
        if (lu.value.empty() || end_of[place] - place > longest_run) {
            return std::nullopt;
        }
        work += 2.0 * lu.width * std::max<double>(lu.width, end_of[place] - place);
    }
    if (work > most_work) {
        return std::nullopt;
    }
    std::vector<double> sum_from(end_of.size());  // over pairs from a place to the end of its run
    for (std::uint32_t component = 0; component < components_.size(); ++component) {
        const Band& lu = bands_[component];
        const std::uint32_t base = components_.first[component];
        const std::uint32_t size = components_.first[component + 1] - base;
        std::uint32_t reach = lu.width;
        for (std::uint32_t i = 0; i < size; ++i) {
            reach = std::max(reach, end_of[base + i] - base - i);
        }
        Inverse z(reach + 1);
        for (std::uint32_t i = size; i-- > 0;) {
            const std::uint32_t band = std::min(i + lu.width, size - 1);
            const std::uint32_t end = end_of[base + i] - base;
            const double here = weight[components_.state[base + i]];
            double sum = end > i + 1 ? sum_from[base + i + 1] : 0;
            for (std::uint32_t j = i + 1; j <= std::max(band, end - 1); ++j) {
                double after = 0, before = 0;
                for (std::uint32_t k = i + 1; k <= band; ++k) {
                    after -= lu.at(i, k) * z(k, j);
                    before -= z(j, k) * lu.at(k, i);
                }
                z(i, j) = after / lu.at(i, i);
                z(j, i) = before;
                if (j < end) {
                    sum += here * z(i, j) + weight[components_.state[base + j]] * z(j, i);
                }
            }
            double diagonal = 1;
            for (std::uint32_t k = i + 1; k <= band; ++k) {
                diagonal -= lu.at(i, k) * z(k, i);
            }
            z(i, i) = diagonal / lu.at(i, i);
            sum_from[base + i] = sum + here * z(i, i);
        }
    }
    std::vector<double> sums;
    for (std::size_t run = 0; run + 1 < first.size(); ++run) {
        sums.push_back(sum_from[first[run]]);
    }
    return sums;
}

}  // namespace mcls
