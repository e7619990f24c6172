#include "bench/workers/gpu/rehearse.hpp"

#include "bench/estimand.hpp"
#include "bench/workers/gpu/gpu_runner.hpp"

namespace bench {

std::optional<std::uint64_t> rehearse(const Step& step, const Work& work) {
    constexpr double seconds = 0.4;
    const auto rehearsal = step.estimand->rehearsal(work, step.problem.get());
    if (!rehearsal) {
        return std::nullopt;
    }
    Step small = step;
    if (rehearsal->problem) small.problem = rehearsal->problem;
    Work of_small = work;
    of_small.iters = rehearsal->iters;
    const std::vector<Count> counts = published(small, of_small, rehearsed_launch);
    const std::size_t parts = compare_with_replay(*rehearsal, counts, work.seed, seconds);
    return parts * std::uint64_t{work.shape.blocks} / rehearsal->parts;
}

}  // namespace bench
