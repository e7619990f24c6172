#include "bench/workers/rehearse.hpp"

#include <functional>
#include <memory>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/workers/cpu/cpu_worker.hpp"
#include "bench/workers/gpu/gpu_worker.hpp"

namespace bench {
namespace {

/// A worker for launches like these.
using MakeWorker = std::function<std::unique_ptr<Worker>(const Step&, const LaunchSpec&)>;

/// Parts of the launch, and how many of them were replayed.
struct Replayed {
    std::uint64_t parts, of;
};

std::optional<Replayed> replayed(const Step& step, const LaunchSpec& spec, const MakeWorker& worker_for) {
    constexpr double seconds = 0.4;
    const auto rehearsal = step.estimand->rehearsal(spec, step.own.problem.get());
    if (!rehearsal) {
        return std::nullopt;
    }
    Step small = step;
    if (rehearsal->problem) small.own.problem = rehearsal->problem;
    const std::vector<Count> counts = published(*worker_for(small, rehearsal->spec), rehearsed_launch);
    return Replayed{compare_with_replay(*rehearsal, counts, spec.seed, seconds), rehearsal->parts};
}

}  // namespace

std::optional<std::uint64_t> rehearse(int device, const Step& step, const LaunchSpec& spec) {
    const auto parts = replayed(step, spec, [=](const Step& small, const LaunchSpec& few) {
        return gpu_worker(device, small, few, /*alone=*/true);
    });
    if (!parts) {
        return std::nullopt;
    }
    return parts->parts * std::uint64_t{spec.shape.blocks} / parts->of;
}

std::optional<std::uint64_t> rehearse_on_cpu(const Step& step, const LaunchSpec& spec) {
    const auto parts = replayed(step, spec, cpu_worker);
    return parts ? std::optional(parts->parts) : std::nullopt;
}

}  // namespace bench
