// A population of walks on the regular graph, counted vertex by vertex: what its launches walk on, publish and are judged by.
// Kernel files include it, so it is C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bench/estimands/solution/solution_of.hpp"
#include "bench/step.hpp"
#include "kernels/graph/shared/visits.hpp"

namespace graph {

/// What a launch walks on. As many walks begin at each vertex.
struct Population : bench::Problem {
    Population(unsigned log2_vertices_, std::uint64_t walks_, unsigned steps_)
        : log2_vertices(log2_vertices_), walks(walks_), steps(steps_) {}
    std::uint64_t vertices() const override { return std::uint64_t{1} << log2_vertices; }
    std::uint64_t work(std::uint64_t) const override { return walks * steps; }
    double least_rehearsed_work(bench::Shape shape) const override;

    unsigned log2_vertices;  // of a run, or of a short launch that is replayed
    std::uint64_t walks;
    unsigned steps;
};

inline constexpr unsigned log2_of_run = 24, log2_of_replay = 16;

/// A vertex's count has 8 bits. With 128 walks at a vertex in the mean, one in 10^13 launches has a count beyond. It would change
/// the number of walks, which is judged.
inline constexpr std::uint64_t most_walks = std::uint64_t{1} << 31, usual_walks = most_walks / 2;

/// Where a launch publishes how many walks are in a quarter after a step, the first one number 0. The other counts are those of
/// a solution: the visits to all quarters in all steps, and the walks of the last step.
__host__ __device__ constexpr std::size_t visits_count(unsigned quarter, unsigned step) {
    return bench::first_tally + quarter * steps + step;
}
inline std::size_t counts_of_population(bench::Shape) { return visits_count(quarters, 0); }

/// The covariance of being in a quarter after two numbers of steps, over its variance: as many walks begin at each vertex.
double covariance_of_visits(unsigned s, unsigned t);

/// The estimand of so many walks on the graph of a run, and what they walk on.
std::shared_ptr<const bench::Estimand> visits_of_population(std::uint64_t walks);
std::shared_ptr<const Population> population_of_run(std::uint64_t walks);

/// The option --walks.
std::shared_ptr<const bench::OwnOptions> population_options();

}  // namespace graph
