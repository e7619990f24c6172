// Launches of random walks whose exact moments are known, for tests: a history visits entries that are drawn independently.
// Its l-th visit, from 0, adds sizes[j] * weight^l to entry j.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "bench/estimands/solution/solution.hpp"
#include "bench/tally.hpp"

namespace sample_solution {

using bench::Count;

constexpr std::size_t entries = 960, entries_of_group = 80;
constexpr std::uint64_t histories = 32'768;  // of a launch
constexpr int bits = 20;

inline double size_of(std::size_t j) { return (j % 3 == 0 ? -1 : 1) * (1 + 0.5 * static_cast<double>(j % 5)); }

/// How a history ends: after three transitions, or after each visit with probability 1/4. In the latter case all visits
/// have the weight 1.
enum class End { after_three, at_random };

/// Moments of a history.
struct Moments {
    double weight, variance;  // mean of the sum of its weights, and its variance
    double squares;           // mean sum of the squares of the weights
};

inline Moments moments(End end) {
    if (end == End::at_random) return {4, 12, 4};  // a geometric distribution
    return {1 + 1 / 2.0 + 1 / 4.0 + 1 / 8.0, 0, 1 + 1 / 4.0 + 1 / 16.0 + 1 / 64.0};
}

inline double exact_entry(std::size_t j, End end) {
    return size_of(j) * moments(end).weight / static_cast<double>(entries);
}

/// The covariance of two sums of entries, given sums over the entries: of the product of both coefficients and the squared
/// size; of the first coefficient and the size; of the second one and the size.
inline double covariance(End end, double both, double first, double second) {
    const Moments m = moments(end);
    constexpr auto n = static_cast<double>(entries);
    return m.squares * (both / n - first * second / n / n) + m.variance * first * second / n / n;
}

/// A random word for each number (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
inline std::uint64_t mixed(std::uint64_t n) {
    n = (n + 1) * 0x9e3779b97f4a7c15;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9;
    n = (n ^ n >> 27) * 0x94d049bb133111eb;
    return n ^ n >> 31;
}

inline bench::Functionals functionals(End end) {
    bench::Functionals functionals;
    for (std::size_t j = 0; j < entries; j++) functionals.negative.push_back(mixed(j));
    const auto sign = [&](std::size_t k, std::size_t j) { return functionals.negative[j] >> k & 1 ? -1.0 : 1.0; };
    for (std::size_t k = 0; k < bench::most_functionals; k++) {
        double mean = 0;
        for (std::size_t j = 0; j < entries; j++) mean += sign(k, j) * exact_entry(j, end);
        functionals.exact.push_back({mean});
        for (std::size_t other = 0; other < bench::most_functionals; other++) {
            double both = 0, first = 0, second = 0;
            for (std::size_t j = 0; j < entries; j++) {
                both += sign(k, j) * sign(other, j) * size_of(j) * size_of(j);
                first += sign(k, j) * size_of(j);
                second += sign(other, j) * size_of(j);
            }
            functionals.covariance.push_back(covariance(end, both, first, second));
        }
    }
    return functionals;
}

inline std::vector<bench::Group> groups(End end) {
    std::vector<bench::Group> groups;
    for (std::size_t first = 0; first < entries; first += entries_of_group) {
        double mean = 0, sizes = 0, squares = 0;
        for (std::size_t j = first; j < first + entries_of_group; j++) {
            mean += exact_entry(j, end);
            sizes += size_of(j);
            squares += size_of(j) * size_of(j);
        }
        groups.push_back(
            {.end = first + entries_of_group, .exact = {mean}, .variance = covariance(end, squares, sizes, sizes)});
    }
    return groups;
}

/// The squared distance from the exact vector takes the place of the residual of a linear system.
inline double squared_distance(const std::vector<double>& x, End end) {
    double squares = 0;
    for (std::size_t j = 0; j < entries; j++) squares += std::pow(x[j] - exact_entry(j, end), 2);
    return squares;
}

inline bench::SolutionOf facts(End end = End::after_three, bench::TallyType type = bench::TallyType::fixed_point) {
    double norm = 0, variance = 0, squared_covariances = 0;
    for (std::size_t j = 0; j < entries; j++) {
        norm += std::pow(exact_entry(j, end), 2);
        variance += covariance(end, size_of(j) * size_of(j), size_of(j), size_of(j));
        for (std::size_t k = 0; k < entries; k++) {
            squared_covariances +=
                std::pow(covariance(end, j == k ? size_of(j) * size_of(j) : 0, size_of(j), size_of(k)), 2);
        }
    }
    return {
        .entries = entries,
        .type = type,
        .bits = bits,
        .length = {3, end == End::after_three ? 0.0 : 12.0},
        .generator = "mt19937_64",
        .soundness = bench::Soundness::sound,
        .system = std::make_shared<const nlohmann::ordered_json>(nlohmann::ordered_json{{"name", "sample"}}),
        .variance = variance,
        .norm = std::sqrt(norm),
        .functionals = functionals(end),
        .groups = groups(end),
        .residual =
            bench::Residual{.squared_norm = [end](const auto& x) { return squared_distance(x, end); },
                            .mean = variance,  // of normal numbers, the sum of squares has the variance 2 tr C^2
                            .sd = std::sqrt(2 * squared_covariances),
                            .relative_to = 2 * std::sqrt(norm)},
    };
}

inline bench::LaunchSpec spec_of(const bench::Estimand& estimand) {
    bench::LaunchSpec spec = {
        .seed = 1, .shape = {32, 32}, .iters = 32, .streams = histories / 32, .published = 2 + entries};
    spec.work = estimand.work_of_launch(spec);
    return spec;
}

/// The histories that a launch walks.
struct Walked {
    std::uint64_t from = 0;  // leaves out those before
    double alike = 0;  // share of the pairs whose second history repeats the first: the variance is 1 + alike times
    bool operator<(const Walked& other) const { return std::pair(from, alike) < std::pair(other.from, other.alike); }
};

/// What launch `index` publishes: as many histories as there should be, and tallies of fixed point of those that it walked.
inline std::vector<Count> drawn(End end, std::uint64_t index, const Walked& walked) {
    std::vector<std::int64_t> tallies(entries);
    std::uint64_t transitions = 0;
    for (std::uint64_t h = 0; h < histories; h++) {
        const std::uint64_t own = mixed(index) + h;
        const bool repeats = h % 2 == 1 && static_cast<double>(mixed(~own)) < walked.alike * 0x1p64;
        const std::uint64_t history = mixed(repeats ? own - 1 : own);
        for (unsigned l = 0;; l++) {
            const std::uint64_t word = mixed(history + l);
            const std::size_t j = (word >> 32) * entries >> 32;
            const double weight = end == End::after_three ? std::ldexp(1.0, -static_cast<int>(l)) : 1;
            if (h >= walked.from) tallies[j] += std::llrint(std::ldexp(size_of(j) * weight, bits));
            if (end == End::after_three ? l == 3 : word % 4 == 0) break;
            transitions++;
        }
    }
    std::vector<Count> counts = {transitions, histories};
    for (const std::int64_t tally : tallies) counts.push_back(std::bit_cast<Count>(tally));
    return counts;
}

/// The same, drawn once.
inline const std::vector<Count>& launch(End end, std::uint64_t index, const Walked& walked = {}) {
    static std::map<std::pair<std::pair<End, std::uint64_t>, Walked>, std::vector<Count>> all;
    auto& counts = all[{{end, index}, walked}];
    if (counts.empty()) counts = drawn(end, index, walked);
    return counts;
}

/// The tallies as doubles.
inline std::vector<Count> as_doubles(std::vector<Count> counts) {
    for (std::size_t j = 2; j < counts.size(); j++) {
        const auto tally = static_cast<double>(std::bit_cast<std::int64_t>(counts[j]));
        counts[j] = std::bit_cast<Count>(std::ldexp(tally, -bits));
    }
    return counts;
}

}  // namespace sample_solution
