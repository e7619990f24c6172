#include "bench/workers/launching.hpp"

namespace bench {
namespace {

void run_clocked(const Step& step, const Launch& launch, IntervalClock& clock) {
    for (unsigned i = 0; i < phases_of(step); i++) {
        const Phase& phase = step.phases[i];
        if (phase.on == On::stream && phase.run) clock.begin(i, launch.stream);
        if (phase.on == On::host) {
            synchronize(launch);
            clock.begin_on_host(i);
        }
        run_phase(phase, launch);
        if (phase.on == On::stream && phase.run) clock.end(i, launch.stream);
        if (phase.on == On::host) clock.end_on_host(i);
    }
    synchronize(launch);
}

}  // namespace

void run_phase(const Phase& phase, const Launch& launch) {
    if (!phase.run) return;  // an earlier one does its work
    if (phase.on == On::host) synchronize(launch);
    CUDA_CHECK(phase.run(launch));
}

void run_phases(const Step& step, const Launch& launch) {
    for (unsigned i = 0; i < phases_of(step); i++) run_phase(step.phases[i], launch);
}

BatchTime time_on_wall(const Step& step, Workspace& workspace, IntervalClock& clock, const Share& share,
                       const std::function<void(std::uint64_t index)>& hand_over) {
    BatchTime all;
    for (std::uint64_t index = share.first; index < share.first + share.launches; index++) {
        workspace.poison(1);
        Launch launch = workspace.launch(index);
        launch.phase_clock = &clock;
        synchronize(launch);
        const double start = monotonic_seconds();
        run_clocked(step, launch, clock);
        const double ms = (monotonic_seconds() - start) * 1e3 - clock.take_pauses();
        const PhaseTimes phases = clock.take();
        all += {ms, phases_of(step) > 1 ? phases : PhaseTimes{}};
        hand_over(index);
    }
    return all;
}

}  // namespace bench
