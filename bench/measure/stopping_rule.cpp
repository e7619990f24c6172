#include "bench/measure/stopping_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "bench/errors.hpp"
#include "bench/text.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {

void require_enough_launches(const std::string& asked, std::uint64_t launches, const Estimand& estimand) {
    if (launches < estimand.least_launches()) {
        throw UsageError(fmt::format("{}: {} launch{} cannot be judged: an error estimate needs at least {}", asked,
                                     launches, launches == 1 ? "" : "es", estimand.least_launches()));
    }
}

StoppingRule stopping_rule(const Options& options, const Estimand& estimand, std::uint64_t work_per_launch,
                           unsigned workers) {
    const unsigned times = options.scaling == Scaling::weak ? workers : 1;
    StoppingRule rule;
    rule.min_seconds = options.min_time;
    rule.max_seconds = options.max_time;
    if (options.batch) {
        const auto batch = checked_product(*options.batch, times);
        if (!batch || *batch > UINT_MAX) {
            throw UsageError(fmt::format("--batch: {} times {} launches are too many at once", times, *options.batch));
        }
        rule.batch = static_cast<unsigned>(*batch);
    }
    if (options.pooled()) {
        const std::uint64_t each = options.launches.value_or((options.goal.value_or(1) - 1) / work_per_launch + 1);
        const auto launches = checked_product(each, times);
        rule.first = options.first.value_or(0);
        const auto work = checked_product(launches ? rule.first + *launches : UINT64_MAX, work_per_launch);
        if (!work || *work > max_work) {
            throw UsageError(fmt::format("{} launches of {} {units} exceed 2^63 {units}",
                                         times == 1 ? std::to_string(each) : fmt::format("{} times {}", times, each),
                                         work_per_launch, fmt::arg("units", estimand.unit().many)));
        }
        rule.launches = launches;
    }
    if (rule.launches) {
        const std::string asked = options.goal ? options.goal_option : "--launches";
        require_enough_launches(asked, *rule.launches, estimand);
        if (rule.first + *rule.launches > estimand.most_launches()) {
            throw UsageError(fmt::format("{}: {} launches are more than the {} that have random words of their own",
                                         asked, grouped(*rule.launches), grouped(estimand.most_launches())));
        }
        estimand.require_launches(*rule.launches);
    }
    return rule;
}

unsigned most_at_once(std::uint64_t counts) {
    constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(most_bytes / bytes_of(counts, sizeof(Count)), 1, max_batch));
}

}  // namespace bench
