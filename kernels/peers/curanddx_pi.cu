// cuRANDDx, NVIDIA's newer device API, on the kernel of v6: two samples of four uniforms, and the hits in a register.
#include <cstdint>

#include "kernels/peers/curanddx.cuh"
#include "kernels/peers/sums.cuh"

namespace {

constexpr std::uint64_t seed = 1234;
constexpr unsigned threads = 1024, blocks_per_sm = 2, draws = 10'000;  // of two samples, of each thread

__global__ void __launch_bounds__(threads) count_hits(double* totals, std::uint64_t launch) {
    peers::Philox rng = peers::stream_of_thread(seed, launch);
    curanddx::uniform<float> uniform;
    unsigned hits = 0;
    for (unsigned i = 0; i < draws; i++) {
        const float4 u = uniform.generate4(rng);
        hits += fmaf(u.x, u.x, u.y * u.y) <= 1.0f ? 1 : 0;
        hits += fmaf(u.z, u.z, u.w * u.w) <= 1.0f ? 1 : 0;
    }
    peers::add_to(totals, hits, 0);
}

void measure() {
    const unsigned blocks = blocks_per_sm * peers::multiprocessors();
    const std::uint64_t samples = std::uint64_t{2} * draws * threads * blocks;
    peers::Totals totals;
    peers::measure(peers::curanddx_facts(samples), [&](std::uint64_t launch) {
        totals.clear();
        const auto timed =
            totals.read(peers::between_events([&] { count_hits<<<blocks, threads>>>(totals.data(), launch); }));
        return peers::Timed{timed.ms, static_cast<std::uint64_t>(timed.sum)};
    });
}

}  // namespace

int main() { return peers::run("peer_curanddx", measure); }
