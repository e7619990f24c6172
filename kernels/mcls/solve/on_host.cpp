#include "kernels/mcls/solve/on_host.hpp"

#include <cmath>
#include <functional>

#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/tables/tables.hpp"

namespace mcls {
namespace {

Sizes sum_in_halves(std::vector<Sizes> parts) {
    for (std::size_t half = parts.size() / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; i++) {
            parts[i].add(parts[i + half]);
        }
    }
    return parts[0];
}

}  // namespace

StartTable starts_of(const std::vector<double>& r, const Sizes& sizes) {
    std::vector<std::uint64_t> ends;
    std::uint64_t all = 0;
    for (const double value : r) {
        all += numerator(value, sizes);
        ends.push_back(all);
    }
    StartTable table = {};
    for (std::uint32_t i = 0; i < r.size(); i++) {
        table.last.push_back(last_word(i, ends[i], all, sizes));
        table.start.push_back(start_at(i, r[i], all, sizes));
    }
    add_guide(table);
    return table;
}

Sizes IterateOnHost::renew_residual() {
    const SplitSystem system = problem_.view();
    for (std::uint32_t i = 0; i < system.n; i++) {
        r_[i] = system.residual(x_.data(), i);
    }
    std::vector<Sizes> groups;
    for (std::uint32_t group = 0; group < groups_of_lanes; group++) {
        std::vector<Sizes> lanes;
        for (std::uint32_t lane = 0; lane < lanes_of_group; lane++) {
            lanes.push_back(sizes_of_lane(system, r_.data(), group * lanes_of_group + lane));
        }
        groups.push_back(sum_in_halves(std::move(lanes)));
    }
    return sizes_ = sum_in_halves(std::move(groups));
}

Sizes IterateOnHost::begin() {
    x_.assign(n(), 0);
    r_ = x_;
    return renew_residual();
}

Sizes IterateOnHost::sweep() {
    std::transform(x_.begin(), x_.end(), r_.begin(), x_.begin(), std::plus<>());
    return renew_residual();
}

Iterate::Corrected IterateOnHost::correct(std::uint32_t launch, std::uint64_t histories, int bits) {
    const StartTable starts = starts_of(r_, sizes_);
    const Stratified<AliasRows> method = {starts.view(), Strata::of(histories), problem_.rows.view(), problem_.limits,
                                          std::ldexp(1.0, bits)};
    const Outcome outcome = replay(method, {.seed = seed_, .launch = launch, .first = 0, .count = histories});
    const double unit = unit_of(histories, bits);
    for (std::size_t i = 0; i < x_.size(); i++) {
        x_[i] = with_tally(x_[i], static_cast<std::uint64_t>(outcome.tallies[i]), unit);
    }
    return {renew_residual(), outcome.transitions};
}

}  // namespace mcls
