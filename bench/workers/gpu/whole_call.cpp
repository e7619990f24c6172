#include "bench/workers/gpu/whole_call.hpp"

#include <optional>

#include "bench/workers/gpu/workspace.hpp"

namespace bench {
namespace {

/// The phases of a step are not timed within a call.
class NoPhaseClock : public PhaseClock {
 public:
    void begin(unsigned, cudaStream_t) override {}
    void end(unsigned, cudaStream_t) override {}
    void begin_on_host(unsigned) override {}
    void end_on_host(unsigned) override {}
};

}  // namespace

BatchTime whole_call(const Step& step, const Work& work, std::uint64_t index, const Stream& stream,
                     const CountSink& sink) {
    NoPhaseClock phases;
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

    sink(counts);
    clock.skip();

    workspace.reset();
    std::vector<Count>().swap(counts);
    clock.end(call_free);
    return clock.time();
}

}  // namespace bench
