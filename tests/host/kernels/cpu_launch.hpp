// Launches of a step for the CPU, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/tally.hpp"

/// The counts that launch number `index` publishes on so many threads, of the step's own problem or of another one.
inline std::vector<bench::Count> published_on_cpu(const bench::Step& step, std::uint64_t seed, std::uint64_t index,
                                                  unsigned iters, unsigned threads = 2,
                                                  const bench::Problem* problem = nullptr) {
    bench::Launch launch = {bench::spec_of(step, seed, {1, threads}, iters)};
    std::vector<bench::Count> counts(launch.published, bench::unwritten);
    std::vector<std::byte> scratch(step.scratch_bytes(launch.shape, iters));
    launch.index = index;
    launch.counts = counts.data();
    launch.scratch = scratch.data();
    launch.problem = problem ? problem : step.own.problem.get();
    const auto equipment = step.equip ? step.equip(launch) : nullptr;
    launch.equipment = equipment.get();
    for (unsigned phase = 0; phase < bench::phases_of(step); phase++) {
        EXPECT_EQ(step.phases[phase].run(launch), cudaSuccess);
    }
    return counts;
}

/// The verdict on the first launches of a run, given what each publishes. Throws VerdictError.
inline void judge_launches(const bench::Step& step, std::uint64_t seed, unsigned iters, unsigned launches,
                           const std::function<std::vector<bench::Count>(std::uint64_t index)>& published) {
    bench::Tally tally(*step.estimand, bench::spec_of(step, seed, {1, 1}, iters));
    for (std::uint64_t k = 0; k < launches; k++) tally.add(published(k));
    step.estimand->judge(tally);
}
