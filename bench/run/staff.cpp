#include <fmt/format.h>

#include <functional>
#include <utility>

#include "bench/errors.hpp"
#include "bench/run/plan.hpp"
#include "bench/workers/checked_worker.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/ranks.hpp"
#include "bench/workers/team.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/workspace.hpp"

namespace bench {
namespace {

/// A worker of the run that has been rehearsed.
std::unique_ptr<Worker> rehearsed(Plan& plan, MakeWorker make, std::function<std::unique_ptr<Worker>()> make_own) {
    auto checked = std::make_unique<CheckedWorker>(plan.step, plan.spec, std::move(make), std::move(make_own));
    plan.rehearsed = checked->rehearse();
    return checked;
}

std::unique_ptr<Worker> rehearsed_on(int device, Plan& plan) {
    const Shape shape = plan.spec.shape;
    select_device(device);
    resolve_shape(plan.step, shape.blocks, shape.threads, device);  // throws if the device does not accept the grid
    require_memory(plan.step, plan.spec, 1);
    const MakeWorker make = [=](const Step& step, const LaunchSpec& spec) { return gpu_worker(device, step, spec); };
    return rehearsed(plan, make,
                     [&, device] { return gpu_worker(device, plan.launched, plan.spec, /*alone=*/!plan.is_team); });
}

/// The same. Errors of one of several devices name it.
std::unique_ptr<Worker> worker_on(int device, Plan& plan) {
    if (!plan.is_team) {
        return rehearsed_on(device, plan);
    }
    try {
        return rehearsed_on(device, plan);
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("device {}: {}", device, error.what()));
    }
}

}  // namespace

std::vector<std::unique_ptr<Worker>> rehearsed_workers(World& world, Plan& plan) {
    std::vector<std::unique_ptr<Worker>> workers;
    world.together([&] {
        if (is_on_cpu(plan.step)) {
            workers.push_back(rehearsed(plan, cpu_worker, [&] { return cpu_worker(plan.launched, plan.spec); }));
            return;
        }
        for (const int device : plan.devices) workers.push_back(worker_on(device, plan));
        select_device(plan.devices[0]);
    });
    return workers;
}

Team team_of(World& world, const Plan& plan, std::vector<std::unique_ptr<Worker>> workers) {
    const bool on_ranks_of_world = plan.is_team && world.announced();
    return Team(on_ranks_of_world ? on_ranks(world, std::move(workers[0])) : on_threads(std::move(workers)));
}

}  // namespace bench
