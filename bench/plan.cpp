#include "bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "bench/checked.hpp"
#include "bench/cli/errors.hpp"

namespace bench {
namespace {

constexpr std::uint64_t max_samples = std::uint64_t{1} << 63;

}  // namespace

std::uint64_t samples_of_launch(std::uint64_t streams, unsigned iters, std::uint64_t points_of_set) {
    const auto samples = checked_product(streams, iters);
    if (!samples || *samples > max_samples) {
        throw UsageError(fmt::format("a launch of {} streams of {} samples exceeds 2^63 samples", streams, iters));
    }
    if (points_of_set != 0 && *samples > points_of_set) {
        throw UsageError(fmt::format("a launch of {} streams of {} samples exceeds the {} points of the set", streams,
                                     iters, points_of_set));
    }
    return *samples;
}

void require_enough_launches(const std::string& asked, std::uint64_t launches, Independent independent) {
    if (launches < least_launches(independent)) {
        throw UsageError(fmt::format(
            "{}: {} launch{} cannot be judged: each is one scrambling, and an error estimate needs at least {}", asked,
            launches, launches == 1 ? "" : "es", least_units));
    }
}

StoppingRule stopping_rule(const Options& options, std::uint64_t samples_per_launch, Independent independent,
                           unsigned workers) {
    const unsigned times = options.scaling == Scaling::weak ? workers : 1;
    StoppingRule rule;
    rule.max_seconds = options.max_time;
    if (options.batch) {
        const auto batch = checked_product(*options.batch, times);
        if (!batch || *batch > UINT_MAX) {
            throw UsageError(fmt::format("--batch: {} times {} launches are too many at once", times, *options.batch));
        }
        rule.batch = static_cast<unsigned>(*batch);
    }
    if (options.pooled()) {
        const std::uint64_t each =
            options.launches.value_or((options.samples.value_or(1) - 1) / samples_per_launch + 1);
        const auto launches = checked_product(each, times);
        const auto samples = checked_product(launches.value_or(UINT64_MAX), samples_per_launch);
        if (!samples || *samples > max_samples) {
            throw UsageError(fmt::format("{} launches of {} samples exceed 2^63 samples",
                                         times == 1 ? std::to_string(each) : fmt::format("{} times {}", times, each),
                                         samples_per_launch));
        }
        rule.launches = launches;
    }
    if (rule.launches) {
        require_enough_launches(options.samples ? "--samples" : "--launches", *rule.launches, independent);
    }
    return rule;
}

StoppingRule stopping_rule(const Plan& plan) {
    StoppingRule rule =
        stopping_rule(plan.options, plan.work.samples_per_launch, plan.subject.law.independent, plan.workers);
    if (plan.saver) {
        rule.launches = plan.saver->start().launches;
        rule.done = plan.saver->start().launches_done;
        // A save between timings comes in time if it need not wait for a long one.
        rule.longest_timing_ms = std::min(rule.longest_timing_ms, 1e3 * plan.options.checkpoint_every / 4);
    }
    return rule;
}

}  // namespace bench
