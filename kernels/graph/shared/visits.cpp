#include "kernels/graph/shared/visits.hpp"

#include <functional>
#include <memory>

#include "kernels/random/draws.cuh"

namespace graph {
namespace {

template <typename Graph>
void replay(const bench::StreamId& stream, unsigned walks, const std::function<void(const double*)>& use) {
    const Graph graph(stream.seed);
    rng::Mwc64xDraws draw(stream);
    for (unsigned walk = 0; walk < walks; walk++) {
        double shares[quarters] = {};
        std::uint32_t slot = draw() >> (32 - Graph::log2_slots);
        for (unsigned i = 0; i < steps; i += Graph::steps) {
            const auto entry = graph.entry(slot);
            Graph::visit(entry, [&](std::uint32_t quarter) { shares[quarter] += 1.0 / steps; });
            slot = chosen(Graph::slots_of(entry), draw());
        }
        use(shares);
    }
}

template <typename Graph>
std::shared_ptr<const bench::Estimand> visits(const char* reference) {
    constexpr double mean = 1.0 / quarters;
    const double variance = variance_of_visits(steps);
    constexpr double unlike_a_tree = 1e-3;  // of the variance: chance makes a graph of 2^16 vertices differ by 5e-3
    const auto visits_to = [&](const char* name) {
        return bench::Statistic{.name = name,
                                .bits = visit_bits,
                                .mean = {mean},
                                .variance = bench::Expected{variance, 0, unlike_a_tree * variance},
                                .kurtosis = 3};
    };
    constexpr bench::ReplayError rounding = {.of_one = 1e-12, .of_mean = 1e-12};
    return bench::means({.quantity = "share of visits in the first quarter",
                         .number = "walks",
                         .unit_one = "step",
                         .unit_many = "steps",
                         .steps = steps,
                         .generator = rng::Mwc64xDraws::generator.name,
                         .soundness = bench::Soundness::sound,
                         .statistics = {visits_to("visits to quarter 1"), visits_to("visits to quarter 2"),
                                        visits_to("visits to quarter 3")},
                         .reference = reference,
                         .per = steps,
                         .replay = {replay<Graph>, {rounding, rounding, rounding}}});
}

}  // namespace

std::vector<double> chances_of_return(unsigned number) {
    constexpr double back = 1.0 / (1u << log2_degree);
    std::vector<double> at_distance(number + 2), returns;
    at_distance[0] = 1;
    for (unsigned i = 0; i < number; i++) {
        returns.push_back(at_distance[0]);
        std::vector<double> next(at_distance.size());
        next[1] = at_distance[0];
        for (unsigned d = 1; d + 1 < next.size(); d++) {
            next[d - 1] += back * at_distance[d];
            next[d + 1] += (1 - back) * at_distance[d];
        }
        at_distance = next;
    }
    return returns;
}

double variance_of_visits(unsigned steps) {
    constexpr double p = 1.0 / quarters;
    const std::vector<double> returns = chances_of_return(steps);
    const double n = steps;
    double alike = n;  // pairs of visits to one vertex
    for (unsigned lag = 1; lag < steps; lag++) alike += 2 * (n - lag) * returns[lag];
    return p * (1 - p) * alike / (n * n);
}

std::shared_ptr<const bench::Estimand> visits_on_regular_graph() {
    return visits<RegularGraph<24>>("all vertices have the same degree");
}

std::shared_ptr<const bench::Estimand> visits_on_paths_of_regular_graph() {
    return visits<PathsOfRegularGraph<24>>("all vertices have the same degree");
}

std::shared_ptr<const bench::Estimand> visits_on_power_law_graph() {
    return visits<PowerLawGraph<24>>("visits are proportional to degrees");
}

}  // namespace graph
