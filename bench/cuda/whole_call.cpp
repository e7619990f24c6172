#include "bench/cuda/whole_call.hpp"

#include <optional>

#include "bench/cuda/interval_clock.hpp"
#include "bench/cuda/workspace.hpp"

namespace bench {

BatchTime whole_call(const Step& step, const Work& work, std::uint64_t index, const Stream& stream,
                     const CountSink& sink) {
    IntervalClock phases;  // a step of overlapping phases needs one; its times are not asked for
    stream.synchronize();

    CallClock clock;
    std::optional<Workspace> workspace(std::in_place, step, work, stream);
    std::vector<Count> counts(workspace->counts_per_launch());
    clock.end(call_alloc);

    workspace->poison(1);
    Launch launch = workspace->launch(index);
    launch.phase_clock = &phases;
    stream.synchronize();
    clock.skip();

    run_phases(step, launch);
    stream.synchronize();
    clock.end(call_run);

    CUDA_CHECK(cudaMemcpy(counts.data(), workspace->counts(), counts.size() * sizeof(Count), cudaMemcpyDefault));
    clock.end(call_copy);

    add_up(counts);
    clock.end(call_sum);

    workspace.reset();
    clock.end(call_free);

    sink(counts);
    return clock.time();
}

}  // namespace bench
