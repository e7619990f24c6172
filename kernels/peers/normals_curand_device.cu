// cuRAND's device API: curand_normal4 with Philox, four normals at a time, whose squares are added up in registers.
#include <curand_kernel.h>

#include <cstdint>

#include "kernels/peers/curand.hpp"
#include "kernels/peers/sums.cuh"
#include "kernels/random/thread_id.cuh"

namespace {

constexpr std::uint64_t seed = 1234;
constexpr unsigned threads = 256, blocks_per_sm = 8, draws = 1000;  // of four normals, of each thread

__global__ void __launch_bounds__(threads) add_squares(double* totals, std::uint64_t launch) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, launch * rng::grid_threads() + rng::grid_thread(), 0, &state);
    float sum = 0, squares = 0;
    for (unsigned i = 0; i < draws; i++) {
        const float4 z = curand_normal4(&state);
        const float square[] = {z.x * z.x, z.y * z.y, z.z * z.z, z.w * z.w};
        for (const float s : square) {
            sum += s;
            squares = fmaf(s, s, squares);
        }
    }
    peers::add_to(totals, sum, squares);
}

void measure() {
    const unsigned blocks = blocks_per_sm * peers::multiprocessors();
    const std::uint64_t normals = std::uint64_t{4} * draws * threads * blocks;
    peers::Totals totals;
    peers::measure_mean(
        {"curand_device", peers::curand_package(), "cuRAND Philox4x32-10", normals}, normals,
        [&](std::uint64_t launch) {
            totals.clear();
            return totals.read(peers::between_events([&] { add_squares<<<blocks, threads>>>(totals.data(), launch); }));
        });
}

}  // namespace

int main() { return peers::run("peer_normals_curand_device", measure); }
