#include "bench/workers/gpu/rehearse.hpp"

#include "bench/estimand.hpp"
#include "bench/workers/gpu/gpu_worker.hpp"

namespace bench {

std::optional<std::uint64_t> rehearse(int device, const Step& step, const LaunchSpec& spec) {
    constexpr double seconds = 0.4;
    const auto rehearsal = step.estimand->rehearsal(spec, step.own.problem.get());
    if (!rehearsal) {
        return std::nullopt;
    }
    Step small = step;
    if (rehearsal->problem) small.own.problem = rehearsal->problem;
    const std::vector<Count> counts = published(device, small, rehearsal->spec, rehearsed_launch);
    const std::size_t parts = compare_with_replay(*rehearsal, counts, spec.seed, seconds);
    return parts * std::uint64_t{spec.shape.blocks} / rehearsal->parts;
}

}  // namespace bench
