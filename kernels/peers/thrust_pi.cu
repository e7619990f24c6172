// Thrust: transform_reduce over stream numbers. Each stream has its own engine, as in Thrust's example monte_carlo. Output
// and exit codes are those of the peers in scripts/peers/.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/transform_reduce.h>
#include <thrust/version.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "bench/cli/errors.hpp"
#include "bench/cuda/check.hpp"
#include "kernels/random/stream_seed.cuh"

namespace {

using Count = unsigned long long;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t seed = 1234;
constexpr unsigned streams = 1u << 26;  // a thread of the reduction takes dozens
constexpr unsigned samples_per_stream = 1u << 10;
constexpr Count samples_per_launch = Count{streams} * samples_per_stream;
constexpr unsigned fewest_warm_ups = 3;
constexpr std::chrono::seconds warm_up_time{1};
constexpr unsigned timed = 25;

/// Counts the hits of one stream, given its number.
struct HitsOfStream {
    std::uint64_t launch;

    __device__ Count operator()(unsigned stream) const {
        thrust::default_random_engine engine(pi::stream_seed(seed, launch, stream, 0));
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

/// Launches for a while so that clocks rise. Returns the number of launches.
std::uint64_t warm_up() {
    std::uint64_t launches = 0;
    for (const auto end = Clock::now() + warm_up_time; launches < fewest_warm_ups || Clock::now() < end; launches++) {
        hits_of_launch(launches);
    }
    return launches;
}

void measure() {
    CUDA_CHECK(cudaFree(nullptr));  // fails where there is no GPU
    cudaEvent_t start, end;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&end));
    const std::uint64_t first = warm_up();

    std::printf("{\"peer\": \"thrust\", \"package\": \"Thrust %d.%d.%d\", \"generator\": \"minstd_rand\", ",
                THRUST_MAJOR_VERSION, THRUST_MINOR_VERSION, THRUST_SUBMINOR_VERSION);
    std::printf("\"samples_per_launch\": %llu, \"ms\": [", samples_per_launch);
    Count hits = 0;
    for (unsigned i = 0; i < timed; i++) {
        CUDA_CHECK(cudaEventRecord(start));
        hits += hits_of_launch(first + i);
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, start, end));
        std::printf("%s%.9g", i == 0 ? "" : ", ", static_cast<double>(ms));
    }
    std::printf("], \"hits\": %llu, \"samples\": %llu}\n", hits, timed * samples_per_launch);
}

int complain(int code, const char* reason) {
    std::fprintf(stderr, "peer_thrust: %s\n", reason);
    return code;
}

}  // namespace

int main() {
    try {
        measure();
        return bench::exit_done;
    } catch (const bench::Error& error) {
        return complain(error.code(), error.what());
    } catch (const std::exception& error) {
        return complain(bench::exit_machine, error.what());
    }
}
