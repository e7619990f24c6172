// Every level of v15 and v18 to v21 decides as many samples as its cells have area, and what one level cuts is what the next
// one gets.
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "bench/workers/resources.hpp"
#include "kernels/pi/device/cut_cells.hpp"
#include "kernels/pi/device/expectations.hpp"
#include "kernels/pi/v15_bit_sliced.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/grid_choices.hpp"

namespace {

using bench::Count;

constexpr unsigned blocks = 512, threads = 256;

/// Samples of all threads.
struct LevelCounts {
    Count samples, inside, outside;
    Count cut() const { return samples - inside - outside; }
};

struct Counts {
    LevelCounts level[8];  // 3 to 8, or to 10
    Count hits;
};

template <typename Draws, template <unsigned> class Networks, unsigned last_level>
__global__ void count_levels(Counts* counts, unsigned iters, const __grid_constant__ pi::LastCells<last_level> cells) {
    Draws draw({1234, 0, rng::grid_threads(), rng::grid_thread()});
    LevelCounts* next = counts->level;
    const auto add = [&next](const pi::v15::Level& level) {
        atomicAdd(&next->samples, Count{level.samples});
        atomicAdd(&next->inside, Count{level.inside});
        atomicAdd(&next->outside, Count{level.outside});
        next++;
    };
    atomicAdd(&counts->hits, Count{pi::v15::hits_among<Networks>(draw, iters, cells, add)});
}

template <typename Draws, template <unsigned> class Networks, unsigned last_level,
          const pi::LastCells<last_level>& cells>
void count(Counts* counts, unsigned iters) {
    count_levels<Draws, Networks><<<blocks, threads>>>(counts, iters, cells);
}

/// The share of a place in what a sample which reached `level` chooses from, each as likely as the others.
double share(const pi::Grid& grid, unsigned level, pi::Place place) {
    const std::vector<pi::Cell> reached = choices(grid, level);
    double there = 0;
    for (const pi::Cell& cell : reached) {
        there += grid.place_of(cell, level) == place ? 1 : 0;
    }
    return there / static_cast<double>(reached.size());
}

void expect_share(Count counted, Count of, double probability, const char* what) {
    const double n = static_cast<double>(of), sd = std::sqrt(n * probability * (1 - probability));
    EXPECT_LT(std::abs(static_cast<double>(counted) - n * probability) / sd, 5) << counted << " of " << of << what;
}

/// A version, and what counts with its draws and networks.
struct Version {
    const char* name;
    void (*count)(Counts* counts, unsigned iters);
    const pi::Grid& grid;
};

class LevelsOnGpu : public GpuTest, public testing::WithParamInterface<std::tuple<Version, unsigned>> {
 protected:
    static Counts run(const Version& version, unsigned iters) {
        const bench::DeviceBuffer<Counts> on_device(1);
        CUDA_CHECK(cudaMemset(on_device.data(), 0, sizeof(Counts)));
        version.count(on_device.data(), iters);
        CUDA_CHECK(cudaGetLastError());
        Counts counts;
        CUDA_CHECK(cudaMemcpy(&counts, on_device.data(), sizeof counts, cudaMemcpyDeviceToHost));
        return counts;
    }
};

TEST_P(LevelsOnGpu, AreTheAreasOfTheirCells) {
    const auto& [version, iters] = GetParam();
    const Counts counts = run(version, iters);
    Count left = Count{blocks} * threads * iters, hits = 0;
    double cut_share = 1, inside_share = 0;  // of all samples, by area
    for (unsigned l = pi::first_level; l <= version.grid.last_level; l++) {
        SCOPED_TRACE(l);
        const LevelCounts& level = counts.level[l - pi::first_level];
        EXPECT_EQ(level.samples, left);
        const double inside = share(version.grid, l, pi::Place::inside);
        expect_share(level.inside, left, inside, " inside");
        expect_share(level.outside, left, share(version.grid, l, pi::Place::outside), " outside");
        hits += level.inside;
        left = level.cut();
        inside_share += cut_share * inside;
        cut_share *= share(version.grid, l, pi::Place::cut);
    }
    EXPECT_EQ(cut_share, std::ldexp(2.0, -static_cast<int>(version.grid.last_level)));
    const double p = static_cast<double>(pi::folded_pairs.count) / pi::folded_pairs.total;
    expect_share(counts.hits - hits, left, (p - inside_share) / cut_share, " tested one by one");
}

const Version versions[] = {
    {"v15", count<rng::FoldedMrgDraws, pi::Network, 8, pi::last_cells>, pi::square},
    {"v18", count<rng::DotMrgDraws, pi::Network, 8, pi::last_cells>, pi::square},
    {"v19", count<rng::DotMrgDraws, pi::OctantNetwork, 8, pi::octant_last_cells>, pi::octant},
    {"v20", count<rng::DotMrgDraws, pi::OctantNetwork, 10, pi::octant_last_cells_10>, pi::deep_octant},
    {"v21", count<rng::AlternatingMrgDraws, pi::OctantNetwork, 10, pi::octant_last_cells_10>, pi::deep_octant},
};

INSTANTIATE_TEST_SUITE_P(Iters, LevelsOnGpu,
                         testing::Combine(testing::ValuesIn(versions), testing::Values(1u, 20u, 1001u, 100'000u)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param).name) + "_" +
                                    std::to_string(std::get<1>(info.param));
                         });

}  // namespace
