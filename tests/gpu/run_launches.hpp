// Launches on a GPU, one after another.
#pragma once

#include <cstdint>

#include "bench/measure/measurement.hpp"
#include "bench/step.hpp"
#include "bench/workers/worker.hpp"

/// Runs launches and returns their time. `sink` gets the counts of each.
bench::BatchTime run_launches(const bench::Step& version, bench::Shape shape, unsigned iters, std::uint64_t seed,
                              bench::Share launches, const bench::CountSink& sink);
