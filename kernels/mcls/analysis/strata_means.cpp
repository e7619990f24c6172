#include "kernels/mcls/analysis/strata_means.hpp"

#include <cmath>

namespace mcls {

StrataMeans::StrataMeans(const Histories& histories)
    : states_(histories.start.size()), stratum_(1 / static_cast<double>(histories.strata)) {
    double end = 0;  // of the starts up to this one, in strata
    for (std::uint32_t state = 0; state < states_; ++state) {
        if (histories.start[state] <= 0) {
            continue;
        }
        const double begin = end, weight = histories.source[state] / histories.start[state];
        end += histories.start[state] * static_cast<double>(histories.strata);
        const double first_whole = std::ceil(begin), last_whole = std::floor(end);
        if (last_whole < first_whole) {
            add(state, weight * (end - begin));
            continue;
        }
        add(state, weight * (first_whole - begin));
        close(1);
        add(state, weight);
        close(last_whole - first_whole);
        add(state, weight * (end - last_whole));
    }
    close(1);
}

void StrataMeans::add(std::uint32_t state, double coefficient) {
    if (coefficient != 0) {
        terms_.push_back({state, coefficient});
    }
}

void StrataMeans::close(double strata) {
    if (strata <= 0) {
        terms_.resize(first_.back());
    } else if (terms_.size() > first_.back()) {
        first_.push_back(terms_.size());
        part_.push_back(strata * stratum_);
    }
}

std::array<Lanes, lanes> StrataMeans::products(std::span<const Lanes> a, std::span<const Lanes> b) const {
    std::array<Lanes, lanes> sums{};
    for (std::size_t group = 0; group < part_.size(); ++group) {
        Lanes mean_a{}, mean_b{};
        for (const Term& term : terms_of(group)) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                mean_a[lane] += term.coefficient * a[term.state][lane];
                mean_b[lane] += term.coefficient * b[term.state][lane];
            }
        }
        for (std::size_t row = 0; row < lanes; ++row) {
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                sums[row][lane] += part_[group] * mean_a[row] * mean_b[lane];
            }
        }
    }
    return sums;
}

double StrataMeans::square(std::span<const double> function) const {
    double sum = 0;
    for (std::size_t group = 0; group < part_.size(); ++group) {
        double mean = 0;
        for (const Term& term : terms_of(group)) {
            mean += term.coefficient * function[term.state];
        }
        sum += part_[group] * mean * mean;
    }
    return sum;
}

std::vector<double> StrataMeans::squares() const {
    std::vector<double> sums(states_);
    for (std::size_t group = 0; group < part_.size(); ++group) {
        for (const Term& term : terms_of(group)) {
            sums[term.state] += part_[group] * term.coefficient * term.coefficient;
        }
    }
    return sums;
}

}  // namespace mcls
