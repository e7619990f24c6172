#include "kernels/mcls/device/rehearsal.hpp"

#include <fmt/format.h>

#include <memory>

#include "bench/cli/errors.hpp"
#include "bench/cuda/gpu_runner.hpp"
#include "kernels/mcls/problem/replays.hpp"

namespace mcls {
namespace {

/// A block counts its histories in 32 bits.
void require_countable(const Walks& walks, bench::Shape shape) {
    constexpr std::uint64_t most_of_block = 4'000'000'000;
    if (walks.histories / shape.blocks >= most_of_block) {
        throw bench::UsageError(fmt::format("--histories: {} are too many for {} blocks in a launch; use --launches",
                                            walks.histories, shape.blocks));
    }
}

}  // namespace

void compare_with_replay(const bench::Step& step, const bench::Work& work) {
    require_countable(walks_of(step.problem.get()), work.shape);
    constexpr std::uint64_t index = 1;
    const auto walks = std::make_shared<const Walks>(few_of(walks_of(step.problem.get())));
    bench::Step few = step;
    few.problem = walks;
    bench::Launch launch = {};
    launch.shape = work.shape;
    launch.seed = work.seed;
    launch.index = index;
    launch.problem = walks.get();
    const std::string differs = difference(walks->replay(launch), bench::published(few, work, index));
    if (!differs.empty()) {
        throw bench::VerdictError(
            fmt::format("a launch of {} histories is not what the host replays: {}", walks->histories, differs));
    }
}

}  // namespace mcls
