// The steps with Wallace's generator draw what their pools give on the CPU, bit for bit.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "bench/options/own_options.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/asian/versions.hpp"
#include "kernels/normals/versions.hpp"
#include "kernels/options/asian/shared/wallace_paths.cuh"
#include "kernels/options/normals/shared/wallace_normals.cuh"
#include "kernels/random/normals/wallace_replay.hpp"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using bench::Count;
using bench::Step;
using rng::pool_size;
using rng::pool_threads;

constexpr unsigned blocks = 3, groups = 2, path_length = 256, passes = groups * normals::wallace_passes;

const Step& step_called(const std::string& name) {
    for (const auto& all : {normals::versions(), normals::ablations(), asian::versions(), asian::ablations()}) {
        for (const Step* step : all) {
            if (name == step->name) return *step;
        }
    }
    throw std::logic_error("no step " + name);
}

/// A launch and all that it leaves in memory.
struct Ran {
    std::vector<float> pools, factors, ring;
    std::vector<Count> counts;
};

template <typename T>
std::vector<T> copied(const T* from, std::size_t n) {
    std::vector<T> to(n);
    CUDA_CHECK(cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

/// The memory of a launch of `iters`, which `memory_of` finds in it; `stored` numbers of the ring.
template <typename MemoryOf>
Ran ran(const Step& step, unsigned iters, std::uint64_t seed, std::uint64_t index, std::size_t stored,
        MemoryOf&& memory_of) {
    const bench::Shape shape = {blocks, pool_threads};
    const bench::DeviceBuffer<Count> counts(step.counts(shape));
    const bench::DeviceBuffer<unsigned char> scratch(step.scratch_bytes(shape, iters));
    CUDA_CHECK(cudaMemset(counts.data(), 0xff, counts.size() * sizeof(Count)));
    CUDA_CHECK(cudaMemset(scratch.data(), 0xff, scratch.size()));
    bench::Launch l = {};
    l.seed = seed;
    l.shape = shape;
    l.iters = iters;
    l.index = index;
    l.counts = counts.data();
    l.scratch = scratch.data();
    for (unsigned i = 0; i < bench::phases_of(step); i++) CUDA_CHECK(step.phases[i].run(l));
    CUDA_CHECK(cudaDeviceSynchronize());
    const rng::WallaceMemory memory = memory_of(l);
    return {copied(memory.pools, blocks * pool_size), copied(memory.factors, blocks * memory.passes),
            copied(static_cast<const float*>(l.scratch), stored), copied(counts.data(), counts.size())};
}

Ran ran(const Step& step, std::uint64_t seed, std::uint64_t index) {
    return ran(step, groups, seed, index, 0,
               [](const bench::Launch& l) { return normals::wallace_normals<false>(l).wallace; });
}

Ran ran_storing(const std::string& name, std::uint64_t seed, std::uint64_t index) {
    return ran(*bench::others_of(step_called(name)).at(0), groups, seed, index, blocks * passes * pool_size,
               [](const bench::Launch& l) { return normals::wallace_normals<true>(l).wallace; });
}

/// The output of a launch on the CPU, in the source's order: pass by pass, block by block.
std::vector<float> replayed(const Ran& launch, std::uint64_t seed, std::uint64_t index) {
    const auto passes = static_cast<unsigned>(launch.factors.size() / blocks);
    std::vector<float> output(blocks * passes * pool_size);
    for (unsigned block = 0; block < blocks; block++) {
        const auto first = launch.pools.begin() + block * pool_size;
        rng::WallacePool pool({first, first + pool_size}, rng::first_m(seed, index, block));
        for (unsigned pass = 0; pass < passes; pass++) {
            pool.pass();
            for (unsigned i = 0; i < pool_size; i++) {
                output[(pass * blocks + block) * pool_size + i] =
                    launch.factors[block * passes + pass] * pool.numbers()[i];
            }
        }
    }
    return output;
}

class Wallace : public GpuTest {};

TEST_F(Wallace, StoresTheNumbersOfItsPools) {
    const Ran n4 = ran_storing("n4", 1234, 5);
    EXPECT_EQ(n4.ring, replayed(n4, 1234, 5));
}

TEST_F(Wallace, SwizzledStoresTheSameNumbersInTheOrderOfItsLayout) {
    const Ran n4 = ran_storing("n4", 1234, 5), n5 = ran_storing("n5", 1234, 5);
    for (std::size_t i = 0; i < n4.ring.size(); i++) {
        const std::size_t place = i - i % pool_threads + rng::SwizzledLayout::place(i % pool_threads);
        ASSERT_EQ(n5.ring[place], n4.ring[i]) << "number " << i;
    }
}

unsigned writes_of_source(unsigned, unsigned thread) { return thread; }
unsigned writes_of_steady_threads(unsigned m, unsigned thread) {
    return (thread % 32 * 8 + thread / 32 - m) % pool_threads;
}

TEST_F(Wallace, SwizzledWithTheSourcesThreadsPublishesTheSumsOfN4) {
    EXPECT_EQ(ran(step_called("n5_source_threads"), 3, 1).counts, ran(step_called("n4"), 3, 1).counts);
}

struct Next {
    const double* at;
    __host__ __device__ double operator()() { return *at++; }
};

/// The mean payoff of a block's paths, one for each thread, in double precision.
template <typename Writes>
double mean_payoff(const std::vector<float>& output, unsigned block, unsigned m, Writes&& writes) {
    std::vector<std::vector<double>> drawn(pool_threads);
    for (unsigned pass = 0; pass < path_length / asian::steps_of_pass; pass++) {
        rng::lcg(&m);
        for (unsigned thread = 0; thread < pool_threads; thread++) {
            const float* const written = &output[(pass * blocks + block) * pool_size + writes(m, thread)];
            for (unsigned k = 0; k < asian::steps_of_pass; k++) {
                drawn[thread].push_back(written[(k + asian::steps_of_pass) * pool_threads]);
                drawn[thread].push_back(written[k * pool_threads]);
            }
        }
    }
    double sum = 0;
    for (const auto& of_path : drawn) {
        sum += asian::path(asian::model(path_length), Next{of_path.data()}).payoff;
    }
    return sum / pool_threads;
}

template <typename Writes>
void expect_prices(const std::string& name, Writes&& writes) {
    const Ran launch = ran(step_called(name), 1, 11, 2, 0, asian::wallace_memory<path_length>);
    const auto output = replayed(launch, 11, 2);
    for (unsigned block = 0; block < blocks; block++) {
        const double units = static_cast<double>(launch.counts[3 * blocks + block]) / pool_threads - (1 << 22);
        // A path in float is off by 3e-5, its place on the grid by at most 2^-11.
        EXPECT_NEAR(std::ldexp(units, -asian::bits), mean_payoff(output, block, rng::first_m(11, 2, block), writes),
                    5e-4)
            << name << ", block " << block;
    }
}

TEST_F(Wallace, PathsAreThoseOfItsNumbers) { expect_prices("a3", writes_of_steady_threads); }
TEST_F(Wallace, PathsOfTheSourcesPoolAreThoseOfItsNumbers) { expect_prices("a3_source_pool", writes_of_source); }

double sum_of_squares(const float* first, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; i++) sum += double{first[i]} * first[i];
    return sum;
}

TEST_F(Wallace, PoolsHaveTheSumOfSquaresKAndFactorsTheMeanSquareOne) {
    const Ran n4 = ran(step_called("n4"), 1, 0);
    for (unsigned block = 0; block < blocks; block++) {
        EXPECT_NEAR(sum_of_squares(&n4.pools[block * pool_size], pool_size), pool_size, 1e-3);
    }
    const double n = static_cast<double>(n4.factors.size());
    EXPECT_NEAR(sum_of_squares(n4.factors.data(), n4.factors.size()) / n, 1, 5 * std::sqrt(2.0 / pool_size / n));
}

TEST_F(Wallace, PoolsAreOthersForAnotherSeedLaunchOrBlock) {
    const auto pools = [](std::uint64_t seed, std::uint64_t index) {
        return ran(step_called("n4"), seed, index).pools;
    };
    const auto base = pools(1, 0);
    EXPECT_NE(pools(2, 0), base);
    EXPECT_NE(pools(1, 1), base);
    EXPECT_NE(std::vector(base.begin(), base.begin() + pool_size),
              std::vector(base.begin() + pool_size, base.begin() + 2 * pool_size));
    EXPECT_EQ(pools(1, 0), base);
}

}  // namespace
