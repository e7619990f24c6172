// cuRANDDx, NVIDIA's newer device API: normals by Box and Muller, four at a time, whose squares are added up in registers.
#include <cstdint>

#include "kernels/peers/curanddx.cuh"
#include "kernels/peers/sums.cuh"

namespace {

constexpr std::uint64_t seed = 1234;
constexpr unsigned threads = 256, blocks_per_sm = 8, draws = 1000;  // of four normals, of each thread

__global__ void __launch_bounds__(threads) add_squares(double* totals, std::uint64_t launch) {
    peers::Philox rng = peers::stream_of_thread(seed, launch);
    curanddx::normal<float, curanddx::box_muller> normal;
    float sum = 0, squares = 0;
    for (unsigned i = 0; i < draws; i++) {
        const float4 z = normal.generate4(rng);
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
    peers::measure_mean(peers::curanddx_facts(normals), normals, [&](std::uint64_t launch) {
        totals.clear();
        return totals.read(peers::between_events([&] { add_squares<<<blocks, threads>>>(totals.data(), launch); }));
    });
}

}  // namespace

int main() { return peers::run("peer_normals_curanddx", measure); }
