// A whole call, as a user's function would make it: allocate, launch, copy the counts, add them, free.
#pragma once

#include "bench/launch_spec.hpp"
#include "bench/measure/whole_call.hpp"
#include "bench/step.hpp"
#include "bench/workers/gpu/gpu_runner.hpp"
#include "bench/workers/gpu/resources.hpp"

namespace bench {

/// Makes launch `index` in a call and returns its times, in the phases of call_phases. `sink` gets the counts, not timed.
BatchTime whole_call(const Step& step, const Work& work, std::uint64_t index, const Stream& stream,
                     const CountSink& sink);

}  // namespace bench
