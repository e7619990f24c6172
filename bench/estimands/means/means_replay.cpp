// The replay of means: what each block publishes is compared with its numbers in double precision.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bench/estimands/means/means.hpp"

namespace bench {
namespace {

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

/// The sums of a block's numbers, or of some of its streams.
class ReplayedBlock {
 public:
    /// Goes on from what sums() gave, added up.
    explicit ReplayedBlock(const MeansOf& what, Replay::Sums sums = {})
        : what_(what), n_(what.statistics.size()), sums_(std::move(sums)) {
        sums_.resize(first_sum_of_numbers + 2 * n_ + 2 * n_ * n_);
        for (std::size_t i = 0; i < n_; i++) errors_.push_back(error_of(what, i));
        of_one_ = what.constant ? errors_[0].shared : what.replay.error[0].of_one;
    }

    const Replay::Sums& sums() const { return sums_; }

    void add(const double* statistics) {
        sums_[numbers]++;
        const double first = statistics[0];
        if (first > 0) sums_[positive]++;
        if (first == 0) sums_[zero]++;
        if (first != 0 && std::abs(first) <= of_one_) sums_[first > 0 ? barely_positive : barely_negative]++;
        for (std::size_t i = 0; i < n_; i++) {
            sums_[sum_of(i)] += statistics[i];
            sums_[size_of(i)] += std::abs(statistics[i]);
            for (std::size_t j = i; j < n_; j++) {
                const double product = statistics[i] * statistics[j];
                sums_[product_of(i, j)] += product;
                sums_[size_of_product(i, j)] += std::abs(product);
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
        std::string text =
            compared(fmt::format("the number of {}", what_.number), count(numbers_column), sums_[numbers], 0);
        if (text.empty()) text = compared(fmt::format("the number of bad {}", what_.number), count(bad_column), 0, 0);
        const double published = count(positive_column), known = sums_[positive];
        const double replayed = std::clamp(published, known - sums_[barely_positive], known + may_be_positive());
        if (text.empty() && published != replayed) {
            text = compared(fmt::format("the number of {} with a positive {}", what_.number, what_.statistics[0].name),
                            published, known, std::abs(replayed - known));
        }
        return text;
    }

    /// Numbers that the replay does not find positive, and the step may. A payoff of 0 does not tell how far it is from being
    /// paid; about as many are as near to it as payoffs above 0 are.
    double may_be_positive() const {
        constexpr double by_chance = 8;
        return sums_[barely_negative] + std::min(sums_[zero], 3 * sums_[barely_positive] + by_chance);
    }

    std::string of_sum(std::size_t i, Count places) const {
        const long double units =
            static_cast<long double>(places) - sums_[numbers] * static_cast<long double>(zero_place);
        return compared(fmt::format("the sum of {}", what_.statistics[i].name),
                        static_cast<double>(units * grid_unit(what_, i)), sums_[sum_of(i)],
                        sums_[numbers] * errors_[i].shared + most_sigma * std::sqrt(sums_[numbers]) * errors_[i].sd);
    }

    /// With errors d and e of its factors the product v w is off by v e + w d + d e.
    std::string of_product(std::size_t i, std::size_t j, Count published) const {
        const Error &d = errors_[i], &e = errors_[j];
        const double n = sums_[numbers];
        const double shared =
            sums_[size_of(i)] * e.shared + sums_[size_of(j)] * d.shared + n * (d.shared * e.shared + d.sd * e.sd);
        const double variance = sums_[product_of(i, i)] * e.sd * e.sd + sums_[product_of(j, j)] * d.sd * d.sd +
                                2 * sums_[size_of_product(i, j)] * d.sd * e.sd + 2 * n * d.sd * d.sd * e.sd * e.sd;
        const long double offset = i == j ? 0 : n * static_cast<long double>(product_offset);
        const long double units = static_cast<long double>(published) - offset;
        return compared(fmt::format("the sum of {} times {}", what_.statistics[i].name, what_.statistics[j].name),
                        static_cast<double>(units * grid_unit(what_, i) * grid_unit(what_, j)), sums_[product_of(i, j)],
                        shared + most_sigma * std::sqrt(variance));
    }

    // Where the sums are: counts, then of each statistic and of each pair.
    enum : std::size_t { numbers, positive, zero, barely_positive, barely_negative, first_sum_of_numbers };
    std::size_t sum_of(std::size_t i) const { return first_sum_of_numbers + i; }
    std::size_t size_of(std::size_t i) const { return sum_of(n_ + i); }
    std::size_t product_of(std::size_t i, std::size_t j) const { return sum_of(2 * n_ + i * n_ + j); }
    std::size_t size_of_product(std::size_t i, std::size_t j) const { return product_of(n_ + i, j); }

    const MeansOf& what_;
    std::size_t n_;
    std::vector<Error> errors_;
    double of_one_;
    Replay::Sums sums_;
};

/// The sums of the numbers of successive streams of a launch.
Replay::Sums replayed(const MeansOf& what, const LaunchSpec& spec, std::uint64_t launch, std::uint64_t first,
                      std::uint64_t streams) {
    ReplayedBlock numbers(what);
    if (what.constant) {
        std::vector<double> known;
        for (const Statistic& statistic : what.statistics) known.push_back(statistic.mean.value);
        for (std::uint64_t i = 0; i < streams * spec.iters; i++) numbers.add(known.data());
        return numbers.sums();
    }
    for (std::uint64_t t = first; t < first + streams; t += what.replay.together) {
        what.replay.numbers({spec.seed, launch, spec.streams, t}, spec.iters,
                            [&](const double* statistics) { numbers.add(statistics); });
    }
    return numbers.sums();
}

}  // namespace

std::optional<Replay> Means::replay(const LaunchSpec& spec, const Problem*, double units) const {
    if (!what_.replay.numbers && !what_.constant) {
        return std::nullopt;
    }
    Replay replay = {.spec = spec};
    replay.spec.iters = static_cast<unsigned>(std::clamp<double>(std::ceil(units / what_.steps), 1, spec.iters));
    replay.spec.work = numbers_of_launch(replay.spec) * what_.steps;
    replay.parts = blocks_of(what_, spec);
    replay.streams = spec.streams / replay.parts;
    replay.together = what_.replay.together;
    replay.sums = [this, few = replay.spec](std::uint64_t launch, std::uint64_t first, std::uint64_t streams) {
        return replayed(what_, few, launch, first, streams);
    };
    replay.difference = [this, blocks = replay.parts](std::uint64_t, std::uint64_t block, const Replay::Sums& sums,
                                                      std::span<const Count> published) {
        const std::string text =
            ReplayedBlock(what_, sums).difference([&](std::size_t column) { return published[column]; });
        return text.empty() ? text : fmt::format("block {} of {}: {}", block, blocks, text);
    };
    return replay;
}

}  // namespace bench
