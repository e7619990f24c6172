#include <fmt/format.h>

#include <functional>
#include <utility>

#include "bench/errors.hpp"
#include "bench/run/plan.hpp"
#include "bench/workers/checked_worker.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/team.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/workspace.hpp"

namespace bench {
namespace {

std::unique_ptr<Worker> rehearsed(Plan& plan, MakeWorker make) {
    auto worker = std::make_unique<CheckedWorker>(plan.step, plan.launched, plan.spec, std::move(make));
    plan.rehearsed = worker->rehearse();
    return worker;
}

std::unique_ptr<Worker> rehearsed_on(int device, Plan& plan) {
    const Shape shape = plan.spec.shape;
    select_device(device);
    resolve_shape(plan.step, shape.blocks, shape.threads, device);  // throws if the device does not accept the grid
    require_memory(plan.step, plan.spec, 1);
    return rehearsed(plan, [device, alone = !plan.is_team](const Step& step, const LaunchSpec& spec) {
        return gpu_worker(device, step, spec, alone);
    });
}

/// As rehearsed_on, but errors of a device of a team name it.
std::unique_ptr<Worker> worker_on(int device, Plan& plan) {
    try {
        return rehearsed_on(device, plan);
    } catch (const Error& error) {
        if (!plan.is_team) throw;
        throw Error(error.code(), fmt::format("device {}: {}", device, error.what()));
    }
}

}  // namespace

std::vector<std::unique_ptr<Worker>> rehearsed_workers(World& world, Plan& plan) {
    std::vector<std::unique_ptr<Worker>> workers;
    world.together([&] {
        if (is_on_cpu(plan.step)) {
            workers.push_back(rehearsed(plan, cpu_worker));
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
