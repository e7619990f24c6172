#include "kernels/mcls/replay/rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>
#include <string>

#include "kernels/mcls/replay/replays.hpp"

namespace mcls {
namespace {

std::uint64_t entries_of(const Walks& walks) { return walks.histories_of_entry > 0 ? walks.n : 1; }

}  // namespace

std::uint64_t rehearsed_histories(const Walks& walks, bench::Shape shape) {
    constexpr std::uint64_t fewest = 1'024;
    const std::uint64_t entries = entries_of(walks), wanted = std::max(fewest, 2 * total_threads(shape));
    return std::min(walks.histories, (wanted + entries - 1) / entries * entries);
}

Walks few_of(const Walks& walks, bench::Shape shape) {
    constexpr std::uint64_t most_transitions = std::uint64_t{1} << 25;
    Walks few = walks;
    few.histories = rehearsed_histories(walks, shape);
    few.histories_of_entry = walks.histories_of_entry > 0 ? few.histories / entries_of(walks) : 0;
    few.limits.steps = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(most_transitions / few.histories, walks.least_steps, walks.limits.steps));
    return few;
}

std::shared_ptr<const bench::Problem> smaller(const bench::LaunchSpec& spec, const bench::Problem* problem, double) {
    return std::make_shared<const Walks>(few_of(walks_of(problem), spec.shape));
}

std::string difference(const bench::LaunchSpec& spec, const bench::Problem* problem, std::uint64_t index,
                       const std::vector<bench::Count>& published) {
    const Walks& walks = walks_of(problem);
    bench::Launch launch = {spec};
    launch.index = index;
    launch.problem = problem;
    const std::string differs = difference(walks.replay(launch), published);
    return differs.empty() ? ""
                           : fmt::format("{} histories are not what the host replays: {}", walks.histories, differs);
}

}  // namespace mcls
