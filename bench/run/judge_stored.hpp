// The sum of stored runs, judged like one run.
#pragma once

#include <string>

#include "bench/options/options.hpp"
#include "bench/step.hpp"
#include "bench/workers/world.hpp"

namespace bench {

/// Adds the runs in the files of --judge and publishes their sum. Needs no GPU. Throws UsageError unless they are launches of
/// this program, of one seed and shape, and each launch is in one of them; VerdictError if the sum, or one of them that
/// is long enough, fails its verdict.
void judge_stored(const World& world, const std::string& program, const std::string& ladder, const Step& step,
                  const Options& options);

}  // namespace bench
