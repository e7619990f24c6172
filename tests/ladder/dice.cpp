#include "tests/ladder/dice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/tally.hpp"
#include "bench/text.hpp"
#include "bench/whole_numbers.hpp"

namespace dice {
namespace {

using Json = nlohmann::ordered_json;

enum Column { throws_column, eyes_column, square_column, columns };

/// The mean of a power of a throw's eyes.
double moment(const Die& die, int power) {
    double sum = 0;
    for (unsigned side = 0; side < die.sides(); side++) sum += die.weight(side) * std::pow(side + 1, power);
    return sum / die.last.back();
}

/// Throws expected in place of one.
double throws_of_one(const Die& die) {
    return die.again ? 1 / (1 - static_cast<double>(die.weight(die.sides() - 1)) / die.last.back()) : 1;
}

class MeanOfEyes : public bench::Estimand {
 public:
    explicit MeanOfEyes(std::shared_ptr<const Die> die) : die_(std::move(die)) {}

    bench::Unit unit() const override { return {"throw", "throws"}; }
    const char* generator() const override { return "a hash of the throw's number"; }
    bench::Soundness soundness() const override { return bench::Soundness::not_tested; }
    const char* precision() const override { return "its standard deviation"; }

    std::uint64_t work_of_launch(const bench::LaunchSpec& spec) const override {
        const auto throws = bench::checked_product(spec.streams, spec.iters);
        if (!throws || *throws > bench::max_work) throw bench::UsageError("a launch exceeds 2^63 throws");
        if (!is_again()) return *throws;
        return static_cast<std::uint64_t>(static_cast<double>(*throws) * throws_of_one(*die_));
    }
    Json problem() const override {
        if (!die_) return nullptr;
        std::vector<std::uint32_t> weights;
        for (unsigned side = 0; side < die_->sides(); side++) weights.push_back(die_->weight(side));
        return {{"weights", weights}, {"again", die_->again}};
    }
    bool work_is_known() const override { return !is_again(); }

    std::size_t width() const override { return columns; }
    std::size_t traced() const override { return square_column; }

    bench::Row row_of(std::span<const bench::Count> counts, const bench::LaunchSpec& spec) const override {
        for (const bench::Count count : counts) {
            if (count == bench::unwritten) throw bench::VerdictError("a sum was never written");
        }
        const bench::Count throws = counts[throws_column];
        if (throws < spec.streams * spec.iters || (!is_again() && throws != spec.work)) {
            throw bench::VerdictError(fmt::format("{} throws", throws));
        }
        if (counts[eyes_column] > die_->sides() * throws) throw bench::VerdictError("more eyes than sides");
        return {throws, counts[eyes_column], counts[square_column]};
    }

    std::uint64_t work_of(const bench::Sums& sums, const bench::LaunchSpec&) const override {
        return static_cast<std::uint64_t>(sums.row[throws_column]);
    }

    void judge(const bench::Tally& tally) const override {
        const double off = (mean_of(tally) - moment(*die_, 1)) / sd_of(tally);
        if (!(std::abs(off) <= 5)) throw bench::VerdictError(fmt::format("{:+.1f} sd from its mean", off));
    }

    void check(const bench::Tally& tally) const override {
        const bench::Row& row = tally.state().sums.row;
        if (row[eyes_column] > row[square_column]) throw std::invalid_argument("its squares are less than its eyes");
    }

    Json outcome(const bench::Tally& tally) const override { return {{"mean", mean_of(tally)}, {"sd", sd_of(tally)}}; }

    Json point(const bench::Sums& sums, const bench::LaunchSpec& spec) const override {
        return Json::array({work_of(sums, spec), static_cast<std::uint64_t>(sums.row[eyes_column])});
    }

    std::string report(const bench::Tally& tally, bench::Occasion) const override {
        return bench::line("mean", estimate_so_far(tally));
    }

    std::string estimate_so_far(const bench::Tally& tally) const override {
        return fmt::format("{:.6f} +- {:.2g}", mean_of(tally), sd_of(tally));
    }

    std::optional<bench::VarianceRatio> variance_ratio(const bench::Tally&) const override { return std::nullopt; }
    std::vector<bench::Warning> warnings(const bench::Tally&, bench::Occasion) const override { return {}; }

 private:
    bool is_again() const { return die_ && die_->again; }

    static double mean_of(const bench::Tally& tally) {
        return static_cast<double>(tally.state().sums.row[eyes_column]) / static_cast<double>(tally.work_done());
    }
    /// With further throws too: the eyes less the throws times their mean have the variance of so many throws (Wald).
    double sd_of(const bench::Tally& tally) const {
        const double mean = moment(*die_, 1), variance = moment(*die_, 2) - mean * mean;
        return std::sqrt(variance / static_cast<double>(tally.work_done()));
    }

    std::shared_ptr<const Die> die_;
};

}  // namespace

std::shared_ptr<const bench::Estimand> mean_of_eyes(std::shared_ptr<const Die> die) {
    return std::make_shared<MeanOfEyes>(std::move(die));
}

}  // namespace dice
