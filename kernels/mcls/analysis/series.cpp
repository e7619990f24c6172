#include "kernels/mcls/analysis/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace mcls {

Series::Series(const Sparse& m, std::span<const double> source, double negligible)
    : m_(m),
      negligible_(negligible),
      term_(source.begin(), source.end()),
      next_(source.size()),
      sum_(term_),
      is_next_(source.size()) {
    for (std::uint32_t state = 0; state < m.n; ++state) {
        if (term_[state] != 0) {
            states_.push_back(state);
        }
    }
}

// A state whose term has become negligible in its sum passes nothing on. In matrices that lead from fast to slow components
// this saves most of the work.
bool Series::advance() {
    next_states_.clear();
    for (const std::uint32_t row : states_) {
        const double term = std::exchange(term_[row], 0);
        if (std::abs(term) <= negligible_ * std::abs(sum_[row])) {
            continue;
        }
        for (std::uint64_t entry = m_.first[row]; entry < m_.first[row + 1]; ++entry) {
            const std::uint32_t column = m_.column[entry];
            next_[column] += m_.value[entry] * term;
            if (is_next_[column] == 0) {
                is_next_[column] = 1;
                next_states_.push_back(column);
            }
        }
    }
    std::swap(term_, next_);
    std::swap(states_, next_states_);
    if (states_.size() > m_.n / 16) {  // in memory's order: much faster if there are many
        states_.clear();
        for (std::uint32_t state = 0; state < m_.n; ++state) {
            if (is_next_[state] != 0) {
                states_.push_back(state);
            }
        }
    }
    for (const std::uint32_t state : states_) {
        is_next_[state] = 0;
        sum_[state] += term_[state];
    }
    return !states_.empty();
}

std::vector<double> neumann_sum(const Sparse& m, std::span<const double> source, std::uint64_t steps) {
    Series series(m, source);
    for (std::uint64_t step = 0; step < steps && series.advance(); ++step) {
    }
    return series.sum();
}

std::vector<double> solution_of(const Splitting& splitting) {
    return neumann_sum(transposed(splitting.h), splitting.b, std::numeric_limits<std::uint64_t>::max());
}

std::vector<double> second_moments(const Sparse& b, const Sparse& squared, std::span<const double> c,
                                   std::uint64_t steps) {
    std::vector<double> y(c.begin(), c.end()), s(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) {
        s[i] = c[i] * c[i];
    }
    bool changes = true;
    for (std::uint64_t step = 0; step < steps && changes; ++step) {
        y = product(b, y);
        std::vector<double> next = product(squared, s);
        double change = 0, largest = 0;
        for (std::size_t i = 0; i < c.size(); ++i) {
            y[i] += c[i];
            next[i] += c[i] * (2 * y[i] - c[i]);
            change = std::max(change, std::abs(next[i] - s[i]));
            largest = std::max(largest, std::abs(next[i]));
        }
        changes = change > 1e-14 * largest;
        s = std::move(next);
    }
    return s;
}

}  // namespace mcls
