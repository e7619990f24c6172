// Random graphs to walk on, and what walks on them are judged by.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "bench/estimand.hpp"
#include "bench/tally.hpp"
#include "kernels/graph/shared/population.hpp"
#include "kernels/graph/shared/visits.hpp"
#include "kernels/options/shared/published_sums.cuh"
#include "kernels/random/draws.cuh"

namespace {

using graph::Slots;
using std::uint32_t;
using std::vector;

constexpr std::uint64_t seed = 0xdeadbeefcafef00d;

TEST(Permutation, TakesEachNumberToAnotherAndBack) {
    const graph::Permutation permutation(seed, 3, 6);
    std::set<uint32_t> images;
    for (uint32_t x = 0; x < 4096; x++) {
        images.insert(permutation(x));
        EXPECT_EQ(permutation.inverse(permutation(x)), x);
    }
    EXPECT_EQ(images.size(), 4096u);
    EXPECT_LT(*images.rbegin(), 4096u);
    EXPECT_NE(permutation(0), graph::Permutation(seed, 4, 6)(0));
    EXPECT_NE(permutation(0), graph::Permutation(seed + 1, 3, 6)(0));
}

/// A small graph as lists: the vertex of each half-edge, and the one at its other end.
struct Lists {
    vector<Slots> vertices;
    vector<uint32_t> vertex, end;
};

template <typename Graph>
Lists listed() {
    const Graph graph(seed);
    vector<uint32_t> ends;  // their first half-edges
    std::map<uint32_t, Slots> by_first;
    for (uint32_t e = 0; e < 1u << Graph::log2_slots; e++) {
        const Slots end = Graph::slots_of(graph.entry(e));
        ends.push_back(end.first);
        by_first.emplace(end.first, end);
    }
    Lists lists;
    std::map<uint32_t, uint32_t> number;
    for (const auto& [first, slots] : by_first) {
        const auto vertex = static_cast<uint32_t>(lists.vertices.size());
        number.emplace(first, vertex);
        lists.vertex.insert(lists.vertex.end(), slots.number, vertex);
        lists.vertices.push_back(slots);
    }
    for (const uint32_t first : ends) lists.end.push_back(number.at(first));
    return lists;
}

/// A kind of graph, of 2^n vertices.
struct Regular {
    template <unsigned n>
    using Of = graph::RegularGraph<n>;
};
struct PowerLaw {
    template <unsigned n>
    using Of = graph::PowerLawGraph<n>;
};

template <typename Kind>
class RandomGraph : public testing::Test {};
using Kinds = testing::Types<Regular, PowerLaw>;
TYPED_TEST_SUITE(RandomGraph, Kinds);

TYPED_TEST(RandomGraph, LeadsFromEachVertexToAnotherAsOftenAsBack) {
    const Lists lists = listed<typename TypeParam::template Of<8>>();
    ASSERT_EQ(lists.vertices.size(), 256u);
    ASSERT_EQ(lists.vertex.size(), lists.end.size());
    uint32_t next = 0;
    for (const Slots& slots : lists.vertices) {
        EXPECT_EQ(slots.first, next);
        next += slots.number;
    }
    std::map<std::pair<uint32_t, uint32_t>, int> edges;
    for (std::size_t e = 0; e < lists.end.size(); e++) edges[{lists.vertex[e], lists.end[e]}]++;
    for (const auto& [edge, times] : edges) EXPECT_EQ((edges[{edge.second, edge.first}]), times);
}

TYPED_TEST(RandomGraph, DependsOnTheSeed) {
    using Graph = typename TypeParam::template Of<8>;
    const Graph graph(seed), other(seed + 1);
    int same = 0;
    for (uint32_t e = 0; e < 1u << Graph::log2_slots; e++) {
        same += Graph::slots_of(graph.entry(e)).first == Graph::slots_of(other.entry(e)).first ? 1 : 0;
    }
    EXPECT_LT(same, 200);  // 16 by chance, or some more with hubs
}

TEST(RegularGraph, HasOneDegree) {
    for (const Slots& slots : listed<graph::RegularGraph<8>>().vertices) EXPECT_EQ(slots.number, 16u);
}

TEST(PowerLawGraph, HasDegreesOfThatLaw) {
    const vector<Slots> vertices = listed<graph::PowerLawGraph<12>>().vertices;
    for (const uint32_t degree : {8u, 16u, 32u, 128u, 512u}) {
        double at_least = 0;
        for (const Slots& slots : vertices) at_least += slots.number >= degree ? 1 : 0;
        const double expected = 4096 * std::pow(8.0 / degree, 2);
        EXPECT_NEAR(at_least, expected, 1 + expected / 10) << degree;  // degrees are rounded to whole numbers
    }
}

TEST(PathsOfRegularGraph, AreAllPairsOfItsSteps) {
    using Graph = graph::RegularGraph<8>;
    using Paths = graph::PathsOfRegularGraph<8>;
    const Graph graph(seed);
    const Paths paths(seed);
    for (uint32_t vertex = 0; vertex < 256; vertex++) {
        std::multiset<vector<uint32_t>> expected, found;  // quarters of both visits, and the end
        for (uint32_t i = 0; i < 16; i++) {
            const uint32_t between = graph.entry(16 * vertex + i);
            for (uint32_t j = 0; j < 16; j++) {
                const uint32_t end = graph.entry(16 * between + j);
                expected.insert({between / 64, end / 64, end});
            }
        }
        for (uint32_t path = 256 * vertex; path < 256 * (vertex + 1); path++) {
            vector<uint32_t> visits;
            Paths::visit(paths.entry(path), [&](uint32_t quarter) { visits.push_back(quarter); });
            const Slots slots = Paths::slots_of(paths.entry(path));
            EXPECT_EQ(slots.number, 256u);
            visits.push_back(slots.first / 256);
            found.insert(visits);
        }
        EXPECT_EQ(found, expected) << vertex;
    }
}

/// The exact variance of a quarter's share of visits, over walks of some steps on this very graph.
double exact_variance(const Lists& lists, unsigned steps, uint32_t quarter) {
    const auto half_edges = static_cast<uint32_t>(lists.end.size());
    vector<double> is_inside, chance;  // that a walk from a vertex is inside some steps later
    for (const Slots& of_vertex : lists.vertices) {
        is_inside.push_back(of_vertex.first / (half_edges / graph::quarters) == quarter ? 1 : 0);
    }
    chance = is_inside;
    double sum = 0;
    for (unsigned lag = 0; lag < steps; lag++) {
        double both = 0;
        vector<double> next(chance.size());
        for (uint32_t e = 0; e < half_edges; e++) {
            both += is_inside[lists.vertex[e]] * chance[lists.vertex[e]] / half_edges;
            next[lists.vertex[e]] += chance[lists.end[e]] / lists.vertices[lists.vertex[e]].number;
        }
        sum += (lag == 0 ? 1 : 2) * double(steps - lag) * (both - 1.0 / 16);
        chance = next;
    }
    return sum / (double(steps) * steps);
}

// A graph of 2^14 vertices differs from the tree by chance, by one part in sqrt(2^18), a few times over.
TYPED_TEST(RandomGraph, HasVisitsOfTheVarianceOfATree) {
    const Lists lists = listed<typename TypeParam::template Of<14>>();
    for (const unsigned steps : {1u, 5u, 20u}) {
        const double known = graph::variance_of_visits(steps);
        for (uint32_t quarter = 0; quarter < graph::quarters; quarter++) {
            EXPECT_NEAR(exact_variance(lists, steps, quarter) / known, 1, 0.015) << steps << ", " << quarter;
        }
    }
}

/// The chances of being in a quarter some steps later, by vertex.
vector<double> chances_of(const Lists& lists, unsigned steps, uint32_t quarter) {
    const auto vertices = static_cast<uint32_t>(lists.vertices.size());
    vector<double> chance;
    for (uint32_t v = 0; v < vertices; v++) chance.push_back(v / (vertices / graph::quarters) == quarter ? 1 : 0);
    for (unsigned step = 0; step < steps; step++) {
        vector<double> next(vertices);
        for (std::size_t e = 0; e < lists.end.size(); e++) next[lists.vertex[e]] += chance[lists.end[e]] / 16;
        chance = next;
    }
    return chance;
}

// One walk from each vertex: what is certain of where it is after s and after t steps is no part of its covariance.
TEST(Population, HasVisitsOfTheCovarianceOfATree) {
    const Lists lists = listed<graph::RegularGraph<14>>();
    const auto mean_of_product = [](const vector<double>& a, const vector<double>& b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(a.size());
    };
    for (const unsigned s : {1u, 2u, 3u}) {
        for (const unsigned t : {1u, 2u, 3u, 5u}) {
            const vector<double> inside = chances_of(lists, 0, 2);
            const double exact = mean_of_product(inside, chances_of(lists, std::max(s, t) - std::min(s, t), 2)) -
                                 mean_of_product(chances_of(lists, s, 2), chances_of(lists, t, 2));
            EXPECT_NEAR(exact / (3.0 / 16), graph::covariance_of_visits(s, t), 0.006) << s << ", " << t;
        }
    }
}

/// The next slot of a walk, after the last one and a random word.
using NextSlot = std::function<uint32_t(Slots, uint32_t slot, uint32_t word)>;

/// What the verdict says of walks with such steps; empty if they pass.
template <typename Graph>
std::string verdict_on(const bench::Estimand& estimand, const NextSlot& next) {
    bench::LaunchSpec spec = {.seed = seed, .shape = {4, 32}, .iters = 300, .streams = 128};
    spec.published = graph::counts_of_visits(spec.shape);
    spec.work = estimand.work_of_launch(spec);
    const Graph graph(spec.seed);
    vector<bench::Count> counts(spec.published);
    for (unsigned block = 0; block < spec.shape.blocks; block++) {
        options::PublishedSums<graph::visit_bits, graph::visit_bits, graph::visit_bits> sums;
        rng::Mwc64xDraws draw({spec.seed, 0, spec.streams, block});
        for (unsigned walk = 0; walk < spec.shape.threads * spec.iters; walk++) {
            float visits[graph::quarters] = {};
            uint32_t slot = draw() >> (32 - Graph::log2_slots);
            for (unsigned i = 0; i < graph::steps; i += Graph::steps) {
                const auto entry = graph.entry(slot);
                Graph::visit(entry, [&](uint32_t quarter) { visits[quarter]++; });
                slot = next(Graph::slots_of(entry), slot, draw());
            }
            sums.add(visits[0], visits[1], visits[2]);
        }
        for (unsigned column = 0; column < sums.columns; column++) {
            counts[bench::published_at(column, block, spec.shape.blocks)] = sums.column(column);
        }
    }
    try {
        bench::Tally tally(estimand, spec);
        tally.add(counts);
        estimand.judge(tally);
    } catch (const bench::VerdictError& error) {
        return error.what();
    }
    return "";
}

using Regular24 = graph::RegularGraph<24>;
using Paths24 = graph::PathsOfRegularGraph<24>;
using PowerLaw24 = graph::PowerLawGraph<24>;

uint32_t to_any(Slots slots, uint32_t, uint32_t word) { return graph::chosen(slots, word); }
uint32_t to_the_first_half(Slots slots, uint32_t, uint32_t word) { return graph::chosen(slots, word / 2); }
uint32_t to_the_first(Slots slots, uint32_t, uint32_t) { return slots.first; }
uint32_t seldom_from_hubs(Slots slots, uint32_t slot, uint32_t word) {
    return slots.number > 64 && word % 64 == 0 ? slot : graph::chosen(slots, word);
}

TEST(Visits, OfUniformWalksPass) {
    EXPECT_EQ(verdict_on<Regular24>(*graph::visits_on_regular_graph(), to_any), "");
    EXPECT_EQ(verdict_on<Paths24>(*graph::visits_on_paths_of_regular_graph(), to_any), "");
    EXPECT_EQ(verdict_on<PowerLaw24>(*graph::visits_on_power_law_graph(), to_any), "");
}

// On the regular graph all such visits are uniform, but walks come back too seldom or too often.
TEST(Visits, OfOtherWalksFail) {
    for (const auto& next : {to_the_first_half, to_the_first}) {
        const std::string said = verdict_on<Regular24>(*graph::visits_on_regular_graph(), next);
        EXPECT_NE(said.find("the variance of visits"), std::string::npos) << said;
    }
    for (const auto& next : {to_the_first, seldom_from_hubs}) {
        const std::string said = verdict_on<PowerLaw24>(*graph::visits_on_power_law_graph(), next);
        EXPECT_NE(said.find("visits to quarter 1"), std::string::npos) << said;
    }
}

}  // namespace
