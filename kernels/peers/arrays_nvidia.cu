// cuRAND's host API in the manner of NVIDIA's sample MC_EstimatePiP: XORWOW fills one array, its first half is x and its
// second half y; points with x^2 + y^2 < 1 hit; a block sum each of at most 10 blocks a multiprocessor is copied back and
// added on the host. Memory and generator are made anew for each launch, inside its time, as in the sample.
#include <numeric>
#include <vector>

#include "bench/workers/resources.hpp"
#include "kernels/peers/arrays.hpp"
#include "kernels/peers/curand.hpp"
#include "kernels/peers/report.hpp"
#include "kernels/pi/shared/block_sum.cuh"
#include "kernels/random/thread_id.cuh"

namespace {

constexpr unsigned threads = 256;
constexpr unsigned blocks_per_sm = 10;

using peers::check;

__global__ void __launch_bounds__(threads) count_points(bench::Count* totals, const float* points, std::uint64_t n) {
    const float *xs = points, *ys = points + n;
    bench::Count inside = 0;
    for (std::uint64_t i = rng::grid_thread(); i < n; i += rng::grid_threads()) {
        const float x = xs[i], y = ys[i];
        inside += x * x + y * y < 1.0f ? 1 : 0;
    }
    pi::store_block_sum(inside, &totals[blockIdx.x]);
}

std::uint64_t count_hits(std::uint64_t launch, unsigned blocks) {
    constexpr std::uint64_t coordinates = 2 * peers::arrays_samples;
    const bench::DeviceBuffer<float> points(coordinates);
    const bench::DeviceBuffer<bench::Count> totals(blocks);

    const peers::Generator generator(CURAND_RNG_PSEUDO_XORWOW);
    check(curandSetPseudoRandomGeneratorSeed(generator.get(), peers::arrays_seed),
          "curandSetPseudoRandomGeneratorSeed");
    check(curandSetGeneratorOffset(generator.get(), launch * coordinates), "curandSetGeneratorOffset");
    check(curandGenerateUniform(generator.get(), points.data(), coordinates), "curandGenerateUniform");
    count_points<<<blocks, threads>>>(totals.data(), points.data(), peers::arrays_samples);
    CUDA_CHECK(cudaGetLastError());

    std::vector<bench::Count> sums(blocks);
    CUDA_CHECK(cudaMemcpy(sums.data(), totals.data(), blocks * sizeof(bench::Count), cudaMemcpyDeviceToHost));
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

void measure() {
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    const unsigned blocks = blocks_per_sm * static_cast<unsigned>(multiprocessors);
    peers::measure(
        {"arrays_nvidia", peers::curand_package(), "cuRAND XORWOW", peers::arrays_samples},
        [=](std::uint64_t launch) { return peers::on_the_wall_clock([=] { return count_hits(launch, blocks); }); });
}

}  // namespace

int main() { return peers::run("peer_arrays_nvidia", measure); }
