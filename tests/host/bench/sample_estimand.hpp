// An estimand for tests of the harness: walks, whose work is path-steps. Only the published counts tell their number.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/tally.hpp"
#include "bench/text.hpp"
#include "bench/whole_numbers.hpp"

namespace sample_estimand {

using Json = nlohmann::ordered_json;

class Walks : public bench::Estimand {
 public:
    explicit Walks(bench::Soundness soundness = bench::Soundness::demonstration,
                   std::optional<bench::VarianceRatio> ratio = {})
        : soundness_(soundness), ratio_(std::move(ratio)) {}

    bench::Unit unit() const override { return {"path-step", "path-steps"}; }
    const char* generator() const override { return "xorshift32 (13, 17, 5)"; }
    bench::Soundness soundness() const override { return soundness_; }
    const char* precision() const override { return "its standard deviation"; }
    std::uint64_t work_of_launch(const bench::LaunchSpec& spec) const override { return spec.streams * spec.iters; }
    bool work_is_known() const override { return false; }
    std::size_t width() const override { return 1; }
    bench::Row row_of(std::span<const bench::Count> published, const bench::LaunchSpec&) const override {
        return {std::accumulate(published.begin(), published.end(), bench::Uint128{0})};
    }
    std::uint64_t work_of(const bench::Sums& sums, const bench::LaunchSpec&) const override {
        return static_cast<std::uint64_t>(sums.row[0]);
    }
    void judge(const bench::Tally&) const override {}
    void check(const bench::Tally&) const override {}
    Json outcome(const bench::Tally& tally) const override { return {{"path_steps", tally.work_done()}}; }
    Json point(const bench::Sums& sums, const bench::LaunchSpec& spec) const override {
        return {{"walks", sums.launches}, {"path_steps", work_of(sums, spec)}};
    }
    std::string report(const bench::Tally& tally, bench::Occasion occasion) const override {
        const char* told[] = {"of one launch", "until the rate is known", "of fixed work"};
        return bench::line("length", bench::grouped(tally.work_done()) + " " + told[static_cast<int>(occasion)]);
    }
    std::string estimate_so_far(const bench::Tally& tally) const override { return bench::grouped(tally.work_done()); }
    std::optional<bench::VarianceRatio> variance_ratio(const bench::Tally&) const override { return ratio_; }
    std::vector<bench::Warning> warnings(const bench::Tally&, bench::Occasion) const override { return {}; }

 private:
    bench::Soundness soundness_;
    std::optional<bench::VarianceRatio> ratio_;
};

inline const Walks walks;

}  // namespace sample_estimand
