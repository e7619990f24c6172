// The rehearsal of a step on a GPU.
#pragma once

#include <optional>

#include "bench/workers/checked_worker.hpp"
#include "bench/workers/worker.hpp"

/// Rehearses launches like these. Throws bench::VerdictError.
inline std::optional<bench::Rehearsed> rehearsed(const bench::Step& version, const bench::LaunchSpec& spec) {
    const auto make = [](const bench::Step& step, const bench::LaunchSpec& of) {
        return bench::gpu_worker(0, step, of);
    };
    return bench::CheckedWorker(version, version, spec, make).rehearse();
}
