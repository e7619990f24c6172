// g2 publishes on a GPU what tests/data/golden_graph.py counts in numpy.
#include <memory>

#include "kernels/graph/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/host/kernels/graph/golden_population.hpp"

namespace {

class PushedCounts : public GpuTest {};

TEST_F(PushedCounts, AreThoseOfNumpy) {
    bench::Step step = *graph::versions().at(1);
    ASSERT_STREQ(step.name, "g2");
    for (const GoldenPopulation& golden : golden_populations()) {
        step.own.problem = std::make_shared<const graph::Population>(golden.population);
        for (const unsigned of_block : {32u, 64u}) {
            EXPECT_EQ(published(step, {golden.threads / of_block, of_block}, 1, golden.seed, golden.launch),
                      golden.published)
                << golden.population.walks << " walks, blocks of " << of_block;
        }
    }
}

}  // namespace
