#include "kernels/graph/shared/population.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "bench/options/values.hpp"
#include "bench/text.hpp"
#include "kernels/graph/shared/population_replay.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/stream_seed.cuh"

namespace graph {
namespace {

constexpr double mean = 1.0 / quarters;
constexpr std::size_t entries = quarters * steps;  // of the estimate: the chance of each quarter after each step
constexpr std::size_t functionals = 32;

/// The covariances of all of them in one walk, row by row.
std::vector<double> covariances() {
    std::vector<double> all;
    for (std::size_t i = 0; i < entries; i++) {
        for (std::size_t j = 0; j < entries; j++) {
            const double of_one_step = (i / steps == j / steps ? mean : 0) - mean * mean;
            all.push_back(of_one_step * covariance_of_visits(i % steps + 1, j % steps + 1));
        }
    }
    return all;
}

double dot(const std::vector<double>& a, const double* b) { return std::inner_product(a.begin(), a.end(), b, 0.0); }

/// The covariances of a sum with these factors, with each entry.
std::vector<double> covariances_of(const std::vector<double>& sum, const std::vector<double>& of_entries) {
    std::vector<double> with;
    for (std::size_t i = 0; i < entries; i++) with.push_back(dot(sum, &of_entries[i * entries]));
    return with;
}

/// Sums of all entries with random signs.
bench::Functionals signed_sums(const std::vector<double>& of_entries) {
    bench::Functionals sums = {std::vector<std::uint64_t>(entries), {}, {}};
    for (std::size_t i = 0; i < entries; i++) sums.negative[i] = rng::mix64(i + 1);
    std::vector<std::vector<double>> signs(functionals, std::vector<double>(entries));
    for (std::size_t k = 0; k < functionals; k++) {
        for (std::size_t i = 0; i < entries; i++) signs[k][i] = sums.negative[i] >> k & 1 ? -1 : 1;
        sums.exact.push_back({mean * std::accumulate(signs[k].begin(), signs[k].end(), 0.0)});
    }
    for (const auto& a : signs) {
        const std::vector<double> with = covariances_of(a, of_entries);
        for (const auto& b : signs) sums.covariance.push_back(dot(with, b.data()));
    }
    return sums;
}

/// The visits to each quarter.
std::vector<bench::Group> visits_to_quarters(const std::vector<double>& of_entries) {
    std::vector<bench::Group> groups;
    for (std::size_t end = steps; end <= entries; end += steps) {
        std::vector<double> of_quarter(entries);
        std::fill(of_quarter.begin() + static_cast<std::ptrdiff_t>(end - steps),
                  of_quarter.begin() + static_cast<std::ptrdiff_t>(end), 1.0);
        groups.push_back({end, {steps * mean}, dot(of_quarter, covariances_of(of_quarter, of_entries).data())});
    }
    return groups;
}

class PopulationOptions : public bench::OwnOptions {
 public:
    std::vector<bench::OwnOption> list() const override {
        return {{"walks", "N",
                 fmt::format("walks of a launch, as many from each of 2^{} vertices;\nat most 2^31 (default 2^30)",
                             log2_of_run)}};
    }

    std::string settle(const bench::OwnValues& values, bench::Step& step) const override {
        const auto given = values.find("walks");
        const std::uint64_t vertices = std::uint64_t{1} << log2_of_run;
        const std::uint64_t walks =
            given == values.end() ? usual_walks : bench::parse_quantity("--walks", given->second, vertices, most_walks);
        if (walks % vertices != 0) {
            throw bench::UsageError(fmt::format("--walks: {} are not as many for each of {} vertices",
                                                bench::grouped(walks), bench::grouped(vertices)));
        }
        step.estimand = visits_of_population(walks);
        step.own.problem = population_of_run(walks);
        return given == values.end() ? "" : fmt::format("_walks{}", walks);
    }
};

}  // namespace

double covariance_of_visits(unsigned s, unsigned t) {
    static const std::vector<double> returns = chances_of_return(2 * steps + 1);
    return returns[s > t ? s - t : t - s] - returns[s + t];
}

std::shared_ptr<const bench::Estimand> visits_of_population(std::uint64_t walks) {
    bench::SolutionOf what = {.entries = entries,
                              .bits = 0,
                              .quantity = "visits",
                              .unit_one = "step",
                              .unit_many = "steps",
                              .history_one = "walk",
                              .history_many = "walks",
                              .histories = walks,
                              .replay = difference_from_replay,
                              .smaller = smaller_population,
                              .length = {steps, 0.0},
                              .generator = rng::Mwc64xDraws::generator.name,
                              .soundness = bench::Soundness::sound};
    what.system_lines = bench::line("walks", fmt::format("{} a launch, as many from each of {} vertices",
                                                         bench::grouped(walks), bench::grouped(1u << log2_of_run)));
    const std::vector<double> of_entries = covariances();
    for (std::size_t i = 0; i < entries; i++) what.variance += of_entries[i * entries + i];
    what.norm = mean * std::sqrt(entries);
    what.functionals = signed_sums(of_entries);
    what.groups = visits_to_quarters(of_entries);
    return bench::solution(what);
}

std::shared_ptr<const Population> population_of_run(std::uint64_t walks) {
    return std::make_shared<const Population>(log2_of_run, walks, steps);
}

std::shared_ptr<const bench::OwnOptions> population_options() { return std::make_shared<const PopulationOptions>(); }

}  // namespace graph
