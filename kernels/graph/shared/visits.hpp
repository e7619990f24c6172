// What walks on a graph publish and are judged by: how often they visit each quarter of it. .cu files include it, so it is
// C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/estimands/means/means_of.hpp"
#include "kernels/graph/shared/graph.cuh"

namespace graph {

/// Steps of a walk. It starts with a slot drawn at random, so it visits each vertex with a chance proportional to its
/// degree.
inline constexpr unsigned steps = 80;

/// A walk publishes its visits to three quarters of the graph; those to the fourth are the rest. One visit is 2^visit_bits units
/// of the grid, so a rehearsal sees a single one.
inline constexpr unsigned published_quarters = quarters - 1;
inline constexpr int visit_bits = 12;

/// Counts that a launch publishes.
inline std::size_t counts_of_visits(bench::Shape shape) { return bench::columns_of(published_quarters) * shape.blocks; }

/// Chances that a walk on a regular tree of degree 16 is where it started, after 0, 1, 2, ... steps: so many.
std::vector<double> chances_of_return(unsigned number);

/// The variance of the share of visits in a quarter, over walks of so many steps on a regular tree of degree 16, which
/// large random graphs resemble: visits are alike where a walk comes back to the same vertex, and else independent.
double variance_of_visits(unsigned steps);

/// The estimand of walks on one of the graphs of 2^24 vertices.
std::shared_ptr<const bench::Estimand> visits_on_regular_graph();
std::shared_ptr<const bench::Estimand> visits_on_paths_of_regular_graph();
std::shared_ptr<const bench::Estimand> visits_on_power_law_graph();

}  // namespace graph
