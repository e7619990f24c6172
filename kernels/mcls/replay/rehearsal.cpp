#include "kernels/mcls/replay/rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "kernels/mcls/replay/replays.hpp"

namespace mcls {
namespace {

std::uint64_t entries_of(const Walks& walks) { return walks.histories_of_entry > 0 ? walks.n : 1; }

/// Histories from which all loops of the kernel run. Of an entry, two are enough.
double histories_of_loops(const Walks& walks, bench::Shape shape) {
    return std::max(walks.histories_of_loops(shape), 2.0 * static_cast<double>(entries_of(walks)));
}

/// The shortest that the steps of a history are cut to: some quads of words.
double shortest_of(const Walks& walks) {
    constexpr double few = 16;
    return std::min(walks.length, std::max(few, 2.0 * walks.least_steps + 2));
}

/// As many for each entry.
std::uint64_t whole(const Walks& walks, double histories) {
    const std::uint64_t entries = entries_of(walks);
    const auto of_entry = static_cast<std::uint64_t>(std::ceil(histories / static_cast<double>(entries)));
    return std::min(walks.histories, of_entry * entries);
}

/// So many of the histories, each as long as in the run.
Walks fewer_of(const Walks& walks, double histories) {
    constexpr double fewest = 1'024;
    Walks few = walks;
    few.histories = whole(walks, std::max(fewest, histories));
    few.histories_of_entry = walks.histories_of_entry > 0 ? few.histories / entries_of(walks) : 0;
    return few;
}

}  // namespace

Walks smaller_of(const Walks& walks, bench::Shape shape, double transitions) {
    const double whole_ones = transitions / walks.length, cut_ones = transitions / shortest_of(walks);
    const double of_loops = histories_of_loops(walks, shape);
    if (walks.places && cut_ones < of_loops) return fewer_of(walks, whole_ones);
    Walks few = fewer_of(walks, std::max(std::min(of_loops, cut_ones), whole_ones));
    if (const auto taken = static_cast<double>(few.histories); taken > std::ceil(whole_ones)) {
        const double steps = transitions / taken;
        few.limits.steps = std::min(walks.limits.steps, std::max(walks.least_steps, static_cast<std::uint32_t>(steps)));
        few.length = std::min<double>(few.length, few.limits.steps);
    }
    return few;
}

std::string difference_from_replay(const bench::LaunchSpec& spec, const bench::Problem& problem, std::uint64_t index,
                                   const std::vector<bench::Count>& published) {
    const Walks& walks = walks_of(&problem);
    bench::Launch launch = {spec};
    launch.index = index;
    launch.problem = &problem;
    const std::string differs = difference(walks.replay(launch), published);
    return differs.empty() ? ""
                           : fmt::format("{} histories are not what the host replays: {}", walks.histories, differs);
}

std::shared_ptr<const bench::Problem> smaller_problem(const bench::LaunchSpec& spec, const bench::Problem& problem,
                                                      double transitions) {
    return std::make_shared<const Walks>(smaller_of(walks_of(&problem), spec.shape, transitions));
}

}  // namespace mcls
