// A whole call, as a user's function would make it: allocate, launch, copy the counts, add them, free.
#pragma once

#include "bench/step.hpp"

namespace bench {

/// The step whose launches are whole calls of `step`. Each of these is a phase, by the wall clock: alloc, run, copy, sum, free.
Step whole_call_of(const Step& step);

}  // namespace bench
