// Rehearsals of means: what each block publishes is compared with its numbers in double precision.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/estimands/means/means.hpp"
#include "bench/estimands/means/means_columns.hpp"

namespace bench {
namespace {

/// Units of work of a thread in a rehearsal, about.
constexpr unsigned rehearsed_units = 512;

/// A sum of random errors is farther out than this, in standard deviations, with a chance of 3e-12.
constexpr double most_sigma = 7;

/// The error of one number: a part that all may share, of any sign, and the standard deviation of the rest.
struct Error {
    double shared, sd;
};

/// Rounding to the grid is uniform in one unit. Where all numbers are the same, it is the same for all.
Error error_of(const MeansOf& what, std::size_t i) {
    const double unit = grid_unit(what, i);
    if (what.constant) {
        return {constant_tolerance * std::abs(what.statistics[i].mean.value) + unit / 2, 0};
    }
    const ReplayError& error = what.replay.error.at(i);
    return {error.of_mean, std::hypot(error.of_one / 3, unit / std::sqrt(12))};
}

/// The sums of a block's numbers.
class ReplayedBlock {
 public:
    explicit ReplayedBlock(const MeansOf& what)
        : what_(what),
          n_(what.statistics.size()),
          sums_(n_),
          sizes_(n_),
          products_(n_ * n_),
          sizes_of_products_(n_ * n_) {
        for (std::size_t i = 0; i < n_; i++) errors_.push_back(error_of(what, i));
        of_one_ = what.constant ? errors_[0].shared : what.replay.error[0].of_one;
    }

    void add(const double* statistics) {
        numbers_++;
        const double first = statistics[0];
        if (first > 0) positive_++;
        if (first == 0) zero_++;
        if (first != 0 && std::abs(first) <= of_one_) (first > 0 ? barely_positive_ : barely_negative_)++;
        for (std::size_t i = 0; i < n_; i++) {
            sums_[i] += statistics[i];
            sizes_[i] += std::abs(statistics[i]);
            for (std::size_t j = i; j < n_; j++) {
                const double product = statistics[i] * statistics[j];
                products_[i * n_ + j] += product;
                sizes_of_products_[i * n_ + j] += std::abs(product);
            }
        }
    }

    /// How what the block published differs from it; empty if it does not. `column(c)` is column c of the block.
    template <typename Column>
    std::string difference(const Column& column) const {
        for (std::size_t c = 0; c < published_columns(what_); c++) {
            if (column(c) == unwritten) return "a sum was never written";
        }
        std::string text = of_counts(column);
        for (std::size_t i = 0; text.empty() && i < n_; i++) text = of_sum(i, column(first_sum + i));
        for (std::size_t i = 0; i < n_; i++) {
            for (std::size_t j = i; text.empty() && j < n_; j++) {
                text = of_product(i, j, column(product_column(what_, i, j)));
            }
        }
        return text;
    }

 private:
    static std::string compared(const std::string& sum, double published, double replayed, double within) {
        if (std::abs(published - replayed) <= within) {
            return "";
        }
        return fmt::format("{} is {:.10g}, and {:.10g} in the replay on the host{}", sum, published, replayed,
                           within > 0 ? fmt::format(", within {:.2g}", within) : "");
    }

    template <typename Column>
    std::string of_counts(const Column& column) const {
        const auto count = [&](std::size_t c) { return static_cast<double>(column(c)); };
        std::string text = compared(fmt::format("the number of {}", what_.number), count(numbers_column), numbers_, 0);
        if (text.empty()) text = compared(fmt::format("the number of bad {}", what_.number), count(bad_column), 0, 0);
        const double positive = count(positive_column);
        const double replayed = std::clamp(positive, positive_ - barely_positive_, positive_ + may_be_positive());
        if (text.empty() && positive != replayed) {
            text = compared(fmt::format("the number of {} with a positive {}", what_.number, what_.statistics[0].name),
                            positive, positive_, std::abs(replayed - positive_));
        }
        return text;
    }

    /// Numbers that the replay does not find positive, and the step may. A payoff of 0 does not tell how far it is from being
    /// paid; about as many are as near to it as payoffs above 0 are.
    double may_be_positive() const {
        constexpr double by_chance = 8;
        return barely_negative_ + std::min(zero_, 3 * barely_positive_ + by_chance);
    }

    std::string of_sum(std::size_t i, Count places) const {
        const long double units = static_cast<long double>(places) - numbers_ * static_cast<long double>(zero_place);
        return compared(fmt::format("the sum of {}", what_.statistics[i].name),
                        static_cast<double>(units * grid_unit(what_, i)), sums_[i],
                        numbers_ * errors_[i].shared + most_sigma * std::sqrt(numbers_) * errors_[i].sd);
    }

    /// With errors d and e of its factors the product v w is off by v e + w d + d e.
    std::string of_product(std::size_t i, std::size_t j, Count published) const {
        const Error &d = errors_[i], &e = errors_[j];
        const double n = numbers_;
        const double shared = sizes_[i] * e.shared + sizes_[j] * d.shared + n * (d.shared * e.shared + d.sd * e.sd);
        const double variance = products_[i * n_ + i] * e.sd * e.sd + products_[j * n_ + j] * d.sd * d.sd +
                                2 * sizes_of_products_[i * n_ + j] * d.sd * e.sd + 2 * n * d.sd * d.sd * e.sd * e.sd;
        const long double offset = i == j ? 0 : n * static_cast<long double>(product_offset);
        const long double units = static_cast<long double>(published) - offset;
        return compared(fmt::format("the sum of {} times {}", what_.statistics[i].name, what_.statistics[j].name),
                        static_cast<double>(units * grid_unit(what_, i) * grid_unit(what_, j)), products_[i * n_ + j],
                        shared + most_sigma * std::sqrt(variance));
    }

    const MeansOf& what_;
    std::size_t n_;
    std::vector<Error> errors_;
    double of_one_;
    double numbers_ = 0, positive_ = 0, zero_ = 0, barely_positive_ = 0, barely_negative_ = 0;
    std::vector<double> sums_, sizes_, products_, sizes_of_products_;
};

/// The block's numbers in the launch that is rehearsed.
ReplayedBlock replayed(const MeansOf& what, const LaunchSpec& spec, std::uint64_t block) {
    ReplayedBlock numbers(what);
    const std::uint64_t streams = spec.streams / blocks_of(what, spec);
    if (what.constant) {
        std::vector<double> known;
        for (const Statistic& statistic : what.statistics) known.push_back(statistic.mean.value);
        for (std::uint64_t i = 0; i < streams * spec.iters; i++) numbers.add(known.data());
        return numbers;
    }
    for (std::uint64_t t = block * streams; t < (block + 1) * streams; t += what.replay.together) {
        what.replay.numbers({spec.seed, rehearsed_launch, spec.streams, t}, spec.iters,
                            [&](const double* statistics) { numbers.add(statistics); });
    }
    return numbers;
}

}  // namespace

std::optional<Rehearsal> Means::rehearsal(const LaunchSpec& spec, const Problem*) const {
    if (!what_.replay.numbers && !what_.constant) {
        return std::nullopt;
    }
    LaunchSpec few = spec;
    few.iters = std::clamp((rehearsed_units - 1) / what_.steps + 1, 1u, spec.iters);
    const std::uint64_t blocks = blocks_of(what_, spec);
    return Rehearsal{few, nullptr, blocks, [=, this](std::size_t block, std::span<const Count> published) {
                         const std::string text = replayed(what_, few, block).difference([&](std::size_t column) {
                             return published[published_at(column, block, blocks)];
                         });
                         return text.empty() ? text : fmt::format("block {} of {}: {}", block, blocks, text);
                     }};
}

}  // namespace bench
