#include "tests/ladder/dice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/checked.hpp"
#include "bench/cli/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/tally.hpp"
#include "bench/tell/lines.hpp"

namespace dice {
namespace {

using Json = nlohmann::ordered_json;

enum Column { eyes_column, square_column, columns };

constexpr double mean = 3.5, variance = 35.0 / 12;  // of a fair die

class MeanOfEyes : public bench::Estimand {
 public:
    bench::Unit unit() const override { return {"throw", "throws"}; }
    const char* generator() const override { return "a hash of the throw's number"; }
    bench::Soundness soundness() const override { return bench::Soundness::not_tested; }
    const char* precision() const override { return "its standard deviation"; }

    std::uint64_t work_of_launch(const bench::Work& work) const override {
        const auto throws = bench::checked_product(work.streams, work.iters);
        if (!throws || *throws > bench::max_work) throw bench::UsageError("a launch exceeds 2^63 throws");
        return *throws;
    }

    std::size_t width() const override { return columns; }

    bench::Row row_of(std::span<const bench::Count> counts, const bench::Work& work) const override {
        if (counts[0] == bench::unwritten || counts[1] == bench::unwritten) {
            throw bench::VerdictError("a sum was never written");
        }
        if (counts[0] > 6 * work.per_launch) throw bench::VerdictError("more than six eyes a throw");
        return {counts[eyes_column], counts[square_column]};
    }

    std::uint64_t work_of(const bench::Sums& sums, const bench::Work& work) const override {
        return sums.launches * work.per_launch;
    }

    void judge(const bench::Tally& tally) const override {
        const double off = (mean_of(tally) - mean) / sd_of(tally);
        if (!(std::abs(off) <= 5)) throw bench::VerdictError(fmt::format("{:+.1f} sd from a fair die", off));
    }

    void check(const bench::Tally& tally) const override {
        const bench::Row& row = tally.state().sums.row;
        if (row[eyes_column] > row[square_column]) throw std::invalid_argument("its squares are less than its eyes");
    }

    Json outcome(const bench::Tally& tally) const override { return {{"mean", mean_of(tally)}, {"sd", sd_of(tally)}}; }

    Json point(const bench::Sums& sums, const bench::Work& work) const override {
        return Json::array({work_of(sums, work), static_cast<std::uint64_t>(sums.row[eyes_column])});
    }

    std::string report(const bench::Tally& tally, bench::Occasion) const override {
        return bench::line("mean", estimate_so_far(tally));
    }

    std::string estimate_so_far(const bench::Tally& tally) const override {
        return fmt::format("{:.6f} +- {:.2g}", mean_of(tally), sd_of(tally));
    }

    std::optional<bench::VarianceRatio> variance_ratio(const bench::Tally&) const override { return std::nullopt; }
    std::vector<std::string> warnings(const bench::Tally&, bench::Occasion) const override { return {}; }

 private:
    static double mean_of(const bench::Tally& tally) {
        return static_cast<double>(tally.state().sums.row[eyes_column]) / static_cast<double>(tally.work_done());
    }
    static double sd_of(const bench::Tally& tally) {
        return std::sqrt(variance / static_cast<double>(tally.work_done()));
    }
};

}  // namespace

std::shared_ptr<const bench::Estimand> mean_of_eyes() { return std::make_shared<MeanOfEyes>(); }

}  // namespace dice
