#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "bench/workers/launching.hpp"

namespace bench {
namespace {

enum CallPhase { alloc, run, copy, sum, release };

struct Called : Equipment {
    explicit Called(Step called) : step(std::move(called)) {}
    Step step;
};

/// The sum of the counts, as a user's function would form it. The compiler cannot leave it out.
void add_up(const std::vector<Count>& counts) {
    const volatile Count total = std::accumulate(counts.begin(), counts.end(), Count{0});
    static_cast<void>(total);
}

cudaError_t call(const Launch& l) {
    const Step& step = static_cast<const Called*>(l.equipment)->step;
    PhaseClock& clock = *l.phase_clock;
    const auto timed = [&](CallPhase phase, const auto& work) {
        clock.begin_on_host(phase);
        work();
        clock.end_on_host(phase);
    };
    const auto not_timed = [&](const auto& work) {
        clock.pause();
        work();
        clock.resume();
    };
    std::optional<Workspace> workspace;
    std::vector<Count> counts;
    PhaseClock of_phases;  // which are not timed within a call
    Launch inner;
    timed(alloc, [&] {
        workspace.emplace(step, l, l.stream);
        counts.resize(l.published);
    });
    not_timed([&] {
        workspace->poison(1);
        inner = workspace->launch(l.index);
        inner.phase_clock = &of_phases;
        synchronize(inner);
    });
    timed(run, [&] {
        run_phases(step, inner);
        synchronize(inner);
    });
    timed(copy, [&] {
        if (is_on_cpu(step)) {
            std::copy_n(workspace->counts(), counts.size(), counts.begin());
        } else {
            CUDA_CHECK(
                cudaMemcpy(counts.data(), workspace->counts(), counts.size() * sizeof(Count), cudaMemcpyDefault));
        }
    });
    timed(sum, [&] { add_up(counts); });
    not_timed([&] { std::copy(counts.begin(), counts.end(), l.counts); });
    timed(release, [&] {
        workspace.reset();
        std::vector<Count>().swap(counts);  // an assignment would keep the memory
    });
    return cudaSuccess;
}

}  // namespace

Step whole_call_of(const Step& step) {
    Step calls = step;
    calls.scratch_bytes = no_memory;
    calls.arrays.host_bytes = no_memory;
    calls.arrays.inspect = nullptr;
    calls.equip = [step](const Launch&) { return std::make_unique<Called>(step); };
    calls.clock = Clock::wall;
    std::fill(std::begin(calls.phases), std::end(calls.phases), Phase{});
    calls.phases[alloc] = {"alloc", call, On::both};
    calls.phases[run] = {"run", nullptr, On::both};
    calls.phases[copy] = {"copy", nullptr, On::both};
    calls.phases[sum] = {"sum", nullptr, On::both};
    calls.phases[release] = {"free", nullptr, On::both};
    return calls;
}

}  // namespace bench
