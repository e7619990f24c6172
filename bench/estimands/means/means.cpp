#include "bench/estimands/means/means.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

#include "bench/errors.hpp"
#include "bench/estimands/chance/limits.hpp"
#include "bench/record/json.hpp"
#include "bench/text.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::size_t launch_squares(const MeansOf& what) { return published_columns(what); }
std::size_t block_squares(const MeansOf& what) { return launch_squares(what) + what.statistics.size(); }

Drawn drawn(const MeansOf& what) { return {what.number, what.unit_many, what.steps, what.most_numbers}; }

/// A column's sum over one launch, or its part from one block.
Uint128 column_sum(std::span<const Count> published, std::size_t column, std::uint64_t blocks) {
    Uint128 sum = 0;
    for (std::uint64_t block = 0; block < blocks; block++) sum += published[published_at(column, block, blocks)];
    return sum;
}

/// The square of a sum of places, less the place of 0 for each number.
Uint128 square(Uint128 places, std::uint64_t numbers) {
    const Uint128 zero = Uint128{zero_place} * numbers;
    const Uint128 size = places > zero ? places - zero : zero - places;
    return size * size;
}

long double difference(Uint128 a, Uint128 b) {
    return a > b ? static_cast<long double>(a - b) : -static_cast<long double>(b - a);
}

/// Whether n numbers with the sum s can have squares that add up to q, but for the rounding of this test (Cauchy-Schwarz).
bool fit(long double n, long double s, long double q) { return s * s <= n * q * (1 + 1e-15L); }

Json sigma_json(const std::optional<Deviation>& deviation) {
    return deviation ? Json(deviation->sigma) : Json(nullptr);
}

Json statistic_json(const MeasuredMeans& measured, std::size_t i) {
    const Statistic& known = measured.what().statistics[i];
    const MeasuredMean mean = measured.mean(i);
    const Expected exact = i == 0 ? expected_estimate(measured.what()) : known.mean;
    return {{"name", known.name},
            {"mean", mean.value},
            {"sd", or_null(mean.sd)},
            {"exact", exact.value},
            {"exact_sd", exact.sd},
            {"sigma", sigma_json(deviation(mean, exact))},
            {"variance", or_null(measured.variance(i))},
            {"exact_variance", known.variance ? Json(known.variance->value) : Json(nullptr)},
            {"variance_sigma", sigma_json(variance_deviation(measured, i))}};
}

Json positive_json(const MeasuredMeans& measured) {
    const auto& known = measured.what().positive;
    if (!known) {
        return nullptr;
    }
    return {{"share", static_cast<double>(measured.positive()) / static_cast<double>(measured.numbers())},
            {"exact", known->value},
            {"exact_sd", known->sd},
            {"sigma", sigma_json(positive_deviation(measured))}};
}

}  // namespace

double grid_unit(const MeansOf& what, std::size_t i) { return std::ldexp(1 / what.per, -what.statistics[i].bits); }

std::shared_ptr<const Estimand> means(const MeansOf& what) { return std::make_shared<Means>(what); }

const MeansOf& means_of(const Estimand& estimand) { return dynamic_cast<const Means&>(estimand).what(); }

Means::Means(const MeansOf& what) : what_(what) {
    if (what.statistics.empty()) throw std::logic_error("means of no statistic");
    if (what.controls >= what.statistics.size()) throw std::logic_error("more controls than statistics");
    if (what.controls > 0 && what.independent != Independent::samples) {
        throw std::logic_error("controls need independent numbers");
    }
}

std::uint64_t Means::work_of_launch(const LaunchSpec& spec) const {
    const std::uint64_t units = bench::work_of_launch(drawn(what_), spec);
    const std::uint64_t of_block = numbers_of_launch(spec) / blocks_of(what_, spec);
    if (what_.independent == Independent::counts && blocks_of(what_, spec) < least_units) {
        throw UsageError(fmt::format("--blocks: an error estimate needs at least {} blocks, not {}", least_units,
                                     blocks_of(what_, spec)));
    }
    if (of_block > most_numbers_of_block) {
        throw UsageError(fmt::format("--iters: a block of {} {} exceeds {}, beyond which its sums could overflow",
                                     grouped(of_block), what_.number, grouped(most_numbers_of_block)));
    }
    if (spec.published > UINT32_MAX) {
        throw UsageError(fmt::format("--blocks: {} blocks publish {} sums, at most {}", grouped(blocks_of(what_, spec)),
                                     grouped(spec.published), grouped(UINT32_MAX)));
    }
    return units;
}

std::uint64_t Means::least_launches() const { return bench::least_launches(what_.independent); }

std::size_t Means::width() const {
    const std::size_t statistics = what_.statistics.size();
    return published_columns(what_) + statistics + (what_.independent == Independent::counts ? statistics : 0);
}

Parts Means::parts(const LaunchSpec& spec) const {
    const auto& variance = what_.statistics[0].variance;
    const std::uint64_t blocks = blocks_of(what_, spec), numbers = numbers_of_launch(spec) / blocks;
    if (what_.independent == Independent::launches || !variance || numbers < least_units) {
        return {};
    }
    const double sd = std::sqrt(static_cast<double>(numbers) * variance->value) / grid_unit(what_, 0);
    return {blocks, std::min(1.0, 1 / (2 * sd * std::sqrt(std::numbers::pi)))};
}

Row Means::row_of(std::span<const Count> published, const LaunchSpec& spec) const {
    for (const Count count : published) {
        if (count == unwritten) throw VerdictError("a sum was never written");
    }
    judge_blocks(what_, published, spec);
    const std::uint64_t blocks = blocks_of(what_, spec), numbers = numbers_of_launch(spec);
    Row row;
    for (std::size_t column = 0; column < published_columns(what_); column++) {
        row.push_back(column_sum(published, column, blocks));
    }
    for (std::size_t i = 0; i < what_.statistics.size(); i++) row.push_back(square(row[first_sum + i], numbers));
    for (std::size_t i = 0; what_.independent == Independent::counts && i < what_.statistics.size(); i++) {
        Uint128 of_blocks = 0;
        for (const Count places : published.subspan(published_at(first_sum + i, 0, blocks), blocks)) {
            of_blocks += square(places, numbers / blocks);
        }
        row.push_back(of_blocks);
    }
    return row;
}

std::uint64_t Means::work_of(const Sums& sums, const LaunchSpec& spec) const { return sums.launches * spec.work; }

void Means::judge(const Tally& tally) const { bench::judge({*this, tally.state().sums, tally.spec()}, tally); }

void Means::check(const Tally& tally) const {
    const auto& [sums, least, most, prints, parts, marked] = tally.state();
    const std::uint64_t of_launch = numbers_of_launch(tally.spec());
    const auto check_row = [&](const Row& row, std::uint64_t launches) {
        const std::uint64_t numbers = launches * of_launch;
        demand(row[numbers_column] == numbers && row[bad_column] == 0 && row[positive_column] <= numbers,
               "its numbers are not those of its launches");
        for (std::size_t i = 0; i < what_.statistics.size(); i++) {
            demand(row[first_sum + i] < Uint128{2 * zero_place} * numbers || numbers == 0,
                   "a sum exceeds the range of its numbers");
        }
    };
    check_row(sums.row, sums.launches);
    for (const Sums& point : marked) check_row(point.row, point.launches);
    for (const Row& extreme : {least, most}) {
        if (!extreme.empty()) check_row(extreme, 1);
    }
    for (std::size_t i = 0; i < what_.statistics.size(); i++) {
        const std::uint64_t numbers = sums.launches * of_launch;
        const long double sum = MeasuredMeans::grid_sum(sums.row, i, numbers);
        const bool products_fit = fit(static_cast<long double>(numbers), sum,
                                      static_cast<long double>(sums.row[product_column(what_, i, i)]));
        const bool blocks_fit = what_.independent != Independent::counts ||
                                fit(static_cast<long double>(sums.launches * blocks_of(what_, tally.spec())), sum,
                                    static_cast<long double>(sums.row[block_squares(what_) + i]));
        demand(products_fit && blocks_fit &&
                   fit(static_cast<long double>(sums.launches), sum,
                       static_cast<long double>(sums.row[launch_squares(what_) + i])),
               "its sums of squares contradict its sums");
    }
}

Json Means::outcome(const Tally& tally) const {
    const MeasuredMeans measured(*this, tally.state().sums, tally.spec());
    const MeasuredMean estimate = measured.estimate();
    const auto ratio = variance_ratio(tally);
    Json statistics = Json::array();
    for (std::size_t i = 0; i < what_.statistics.size(); i++) statistics.push_back(statistic_json(measured, i));
    return {
        {"quantity", what_.quantity},
        {"number", what_.number},
        {"numbers", measured.numbers()},
        {"steps", what_.steps},
        {"estimate", estimate.value},
        {"sd", or_null(estimate.sd)},
        {"reference",
         {{"value", what_.statistics[0].mean.value}, {"sd", what_.statistics[0].mean.sd}, {"how", what_.reference}}},
        {"bias", {{"value", what_.bias.value}, {"sd", what_.bias.sd}}},
        {"sigma", sigma_json(deviation(estimate, expected_estimate(what_)))},
        {"plain", measured.mean(0).value},
        {"statistics", statistics},
        {"positive", positive_json(measured)},
        {"bad", measured.bad()},
        {"independent", text_of(what_.independent, what_.number)},
        {"variance_ratio",
         ratio ? Json{{"value", ratio->value}, {"plain", what_.statistics[0].variance->value}} : Json(nullptr)}};
}

Json Means::point(const Sums& sums, const LaunchSpec& spec) const {
    return Json::array({work_of(sums, spec), MeasuredMeans(*this, sums, spec).estimate().value});
}

std::optional<VarianceRatio> Means::variance_ratio(const Tally& tally) const {
    const MeasuredMeans measured(*this, tally.state().sums, tally.spec());
    const auto& variance = what_.statistics[0].variance;
    const auto sd = measured.estimate().sd;
    const bool is_plain = what_.independent == Independent::samples && what_.controls == 0;
    if (is_plain || !sd || !variance || variance->value == 0) {
        return std::nullopt;
    }
    return VarianceRatio{.value = *sd * *sd * static_cast<double>(measured.numbers()) / variance->value,
                         .origin = fmt::format("variance of independent {}", what_.number)};
}

std::vector<Warning> Means::warnings(const Tally& tally, Occasion) const {
    return uneven_points(drawn(what_), numbers_of_launch(tally.spec()));
}

MeasuredMeans::MeasuredMeans(const Means& means, const Sums& sums, const LaunchSpec& spec)
    : what_(means.what()),
      sums_(sums),
      numbers_of_launch_(bench::numbers_of_launch(spec)),
      blocks_of_launch_(blocks_of(what_, spec)),
      numbers_of_block_(numbers_of_launch_ / blocks_of_launch_),
      numbers_(sums.launches * numbers_of_launch_) {}

std::uint64_t MeasuredMeans::positive() const { return static_cast<std::uint64_t>(sums_.row[positive_column]); }
std::uint64_t MeasuredMeans::bad() const { return static_cast<std::uint64_t>(sums_.row[bad_column]); }

long double MeasuredMeans::grid_sum(const Row& row, std::size_t i, std::uint64_t numbers) {
    return difference(row[first_sum + i], Uint128{zero_place} * numbers);
}

long double MeasuredMeans::sum(std::size_t i) const { return grid_sum(sums_.row, i, numbers_) * grid_unit(what_, i); }

long double MeasuredMeans::covariance(std::size_t i, std::size_t j) const {
    const Uint128 offset = i == j ? 0 : Uint128{product_offset} * numbers_;
    const long double products =
        difference(sums_.row[product_column(what_, i, j)], offset) * grid_unit(what_, i) * grid_unit(what_, j);
    const auto n = static_cast<long double>(numbers_);
    return (products - sum(i) * sum(j) / n) / (n - 1);
}

bool MeasuredMeans::all_equal(std::size_t i) const {
    return Uint128{numbers_} * sums_.row[product_column(what_, i, i)] == square(sums_.row[first_sum + i], numbers_);
}

std::optional<double> MeasuredMeans::variance(std::size_t i) const {
    return numbers_ > 1 ? std::optional(static_cast<double>(covariance(i, i))) : std::nullopt;
}

std::optional<double> MeasuredMeans::unit_variance(std::size_t i, std::size_t first_column, std::uint64_t units) const {
    if (units < 2) {
        return std::nullopt;
    }
    const auto n = static_cast<long double>(units);
    const double unit = grid_unit(what_, i);
    const auto squares = static_cast<long double>(sums_.row[first_column + i]) * unit * unit;
    return static_cast<double>((squares - sum(i) * sum(i) / n) / (n - 1));
}

std::optional<double> MeasuredMeans::launch_variance(std::size_t i) const {
    return unit_variance(i, launch_squares(what_), launches());
}

std::optional<double> MeasuredMeans::block_variance(std::size_t i) const {
    return what_.independent == Independent::counts ? unit_variance(i, block_squares(what_), blocks()) : std::nullopt;
}

MeasuredMean MeasuredMeans::mean(std::size_t i) const {
    const auto n = static_cast<double>(numbers_);
    const auto value = static_cast<double>(sum(i) / static_cast<long double>(numbers_));
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (what_.independent == Independent::samples) {
        const auto& known = what_.statistics[i].variance;
        const auto of_number = known ? std::optional(known->value) : variance(i);
        return {value, of_number ? std::optional(std::sqrt(*of_number / n)) : std::nullopt, infinite};
    }
    const bool by_block = what_.independent == Independent::counts;
    const auto of_unit = by_block ? block_variance(i) : launch_variance(i);
    const std::uint64_t all_units = by_block ? blocks() : launches();
    if (!of_unit || all_units < least_units) {
        return {value, std::nullopt, infinite};
    }
    const auto units = static_cast<double>(all_units);
    return {value, std::sqrt(std::max(0.0, *of_unit) * units) / n, units - 1};
}

MeasuredMean MeasuredMeans::estimate() const {
    const unsigned controls = what_.controls;
    if (controls == 0 || numbers_ < least_units) {
        return mean(0);
    }
    // Coefficients of the regression: Gaussian elimination of the controls' covariances, which are positive definite.
    std::vector<std::vector<long double>> rows;
    for (unsigned i = 1; i <= controls; i++) {
        std::vector<long double> row;
        for (unsigned j = 1; j <= controls; j++) row.push_back(covariance(std::min(i, j), std::max(i, j)));
        row.push_back(covariance(0, i));
        row.push_back(sum(i) / static_cast<long double>(numbers_) - what_.statistics[i].mean.value);
        rows.push_back(row);
    }
    // The column of the covariances with statistic 0 becomes b' = L^-1 b, and that of the distances d' = L^-1 d, for the
    // factors L D L^T. With them b' / D explains the variance b'^2 / D and the distance b' d' / D.
    long double value = mean(0).value, variance = covariance(0, 0);
    for (unsigned i = 0; i < controls; i++) {
        const long double pivot = rows[i][i], b = rows[i][controls], d = rows[i][controls + 1];
        value -= b * d / pivot;
        variance -= b * b / pivot;
        for (unsigned k = i + 1; k < controls; k++) {
            const long double factor = rows[k][i] / pivot;
            for (unsigned column = i; column < controls + 2; column++) rows[k][column] -= factor * rows[i][column];
        }
    }
    return {static_cast<double>(value),
            std::sqrt(static_cast<double>(std::max(0.0L, variance)) / static_cast<double>(numbers_)),
            std::numeric_limits<double>::infinity()};
}

std::optional<Spread> MeasuredMeans::spread(const std::optional<double>& of_unit, std::size_t i, std::uint64_t numbers,
                                            std::uint64_t units, const char* over) const {
    const auto& known = what_.statistics[i].variance;
    if (!of_unit || !known || known->value == 0) {
        return std::nullopt;
    }
    return spread_of_units(*of_unit / (known->value * static_cast<double>(numbers)), units, over);
}

std::optional<Spread> MeasuredMeans::launch_spread(std::size_t i) const {
    return spread(launch_variance(i), i, numbers_of_launch_, launches(), "launches");
}

std::optional<Spread> MeasuredMeans::block_spread(std::size_t i) const {
    return spread(block_variance(i), i, numbers_of_block_, blocks(), "blocks");
}

}  // namespace bench
