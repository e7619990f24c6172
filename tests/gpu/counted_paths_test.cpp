// Steps on counted paths walk the same histories: they count as many walkers in every cell.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/estimand.hpp"
#include "bench/options/own_options.hpp"
#include "bench/workers/check.hpp"
#include "bench/workers/gpu/device.hpp"
#include "bench/workers/launching.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/tables/walks.hpp"
#include "kernels/mcls/versions.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using bench::Count;

bench::Step settled(const std::string& name) {
    for (const bench::Step* step : mcls::versions()) {
        if (step->name != name) continue;
        bench::Step settled = *step;
        bench::settle_own({{"system", "lap2d"}, {"histories", "1000000"}}, settled);
        return settled;
    }
    throw std::logic_error(name);
}

/// What a launch leaves in the cells.
std::vector<Count> cells_of(const std::string& name) {
    const bench::Step step = settled(name);
    const bench::Shape shape = bench::resolve_shape(step, 3, step.default_threads, 0);  // allows the shared memory
    bench::Launch l = {bench::spec_of(step, 0xdeadbeefcafef00d, shape, 1)};
    l.problem = step.own.problem.get();
    const auto tables = step.equip(l);
    l.equipment = tables.get();
    const bench::DeviceBuffer<Count> counts(mcls::first_tally + mcls::walks_of(l.problem).n);
    l.counts = counts.data();
    run_phases(step, l);
    std::vector<Count> cells(std::size_t{mcls::walks_of(l.problem).n} * mcls::QuarterPaths::cells);
    CUDA_CHECK(cudaMemcpy(cells.data(), mcls::cells_of<mcls::QuarterPaths>(l), cells.size() * sizeof(Count),
                          cudaMemcpyDeviceToHost));
    return cells;
}

class CountedPaths : public GpuTest {};

TEST_F(CountedPaths, CountAsManyWalkersInEveryCell) {
    const std::vector<Count> cells = cells_of("v16");
    EXPECT_GT(*std::min_element(cells.begin(), cells.end()), 0u);
    EXPECT_EQ(cells_of("v21"), cells);
    EXPECT_EQ(cells_of("v22"), cells);
}

}  // namespace
