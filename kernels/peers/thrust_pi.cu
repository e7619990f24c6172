// Thrust: transform_reduce over stream numbers. Each stream has its own engine, as in Thrust's example monte_carlo.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/transform_reduce.h>

#include "bench/workers/check.hpp"
#include "kernels/peers/report.hpp"
#include "kernels/peers/thrust_version.hpp"
#include "kernels/random/stream_seed.cuh"

namespace {

using Count = unsigned long long;

constexpr std::uint64_t seed = 1234;
constexpr unsigned streams = 1u << 26;  // a thread of the reduction takes dozens
constexpr unsigned samples_per_stream = 1u << 10;
constexpr std::uint64_t samples_per_launch = std::uint64_t{streams} * samples_per_stream;

/// Counts the hits of one stream, given its number.
struct HitsOfStream {
    std::uint64_t launch;

    __device__ Count operator()(unsigned stream) const {
        thrust::default_random_engine engine(rng::stream_seed(seed, launch, stream, 0));
        thrust::uniform_real_distribution<float> coordinate(0.0f, 1.0f);
        unsigned hits = 0;
        for (unsigned i = 0; i < samples_per_stream; i++) {
            const float x = coordinate(engine);
            const float y = coordinate(engine);
            hits += x * x + y * y <= 1.0f ? 1 : 0;
        }
        return hits;
    }
};

Count hits_of_launch(std::uint64_t launch) {
    const thrust::counting_iterator<unsigned> first(0);
    return thrust::transform_reduce(thrust::device, first, first + streams, HitsOfStream{launch}, Count{0},
                                    thrust::plus<Count>());
}

void measure() {
    CUDA_CHECK(cudaFree(nullptr));  // fails where there is no GPU
    peers::measure({"thrust", peers::thrust_version(), "minstd_rand", samples_per_launch}, [](std::uint64_t launch) {
        return peers::on_the_wall_clock([=] { return hits_of_launch(launch); });
    });
}

}  // namespace

int main() { return peers::run("peer_thrust", measure); }
