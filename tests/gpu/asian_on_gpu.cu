#include <cmath>
#include <vector>

#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/options/asian/shared/bridge_path.cuh"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"
#include "tests/gpu/asian_on_gpu.hpp"

namespace {

constexpr unsigned blocks = 256, threads = 128, paths_of_thread = 32;  // 2^20 paths
constexpr unsigned most_steps = 256;

/// Payoffs of one path in float and in double, from the words of `draw`.
struct Payoffs {
    float in_float;
    double in_double;
};

/// The normals of rng::half_circle() in kernels/random/normals/exact_normals.hpp.
struct ExactNormals {
    rng::MrgDraws* draw;
    bool sine_is_next = false;
    double sine = 0;

    __device__ double operator()() {
        if (sine_is_next) {
            sine_is_next = false;
            return sine;
        }
        sine_is_next = true;
        const double u = (static_cast<int>((*draw)()) + 0.5) * 0x1p-31;
        const double radius = sqrt(-2 * log(fabs(u)));
        double cosine;
        sincospi(static_cast<int>((*draw)()) * 0x1p-32, &sine, &cosine);
        sine *= radius;
        return copysign(radius * cosine, u);
    }
};

template <unsigned steps>
__device__ Payoffs prices(rng::MrgDraws* draw) {
    rng::MrgDraws same = *draw;
    asian::PricePath<steps> path;
    for (unsigned t = 0; t < steps; t++) {
        const unsigned radius_word = (*draw)();
        const unsigned angle_word = (*draw)();
        path.step(rng::polynomial_pair(radius_word, angle_word));
    }
    return {fmaxf(path.excess(), 0.0f), asian::path(asian::model(steps), ExactNormals{&same}).payoff};
}

template <unsigned steps>
__device__ Payoffs logarithms(rng::MrgDraws* draw) {
    rng::MrgDraws same = *draw;
    asian::LogPath<steps> path;
    for (unsigned t = 0; t < steps; t++) {
        const unsigned radius_word = (*draw)();
        const unsigned angle_word = (*draw)();
        path.step(1, path.move(radius_word, angle_word));
        path.end_group(1);
    }
    return {fmaxf(path.excess(), 0.0f), asian::path(asian::model(steps), ExactNormals{&same}).payoff};
}

/// Walks the dates in double in the order of the float bridge: depth first, each node before its left half.
struct ExactBridge {
    rng::MrgDraws* draw;
    double (*level)[most_steps + 1];

    __device__ void walk(unsigned left, unsigned right) {
        unsigned open[16], depth = 0;  // right ends of the halves that wait
        for (;;) {
            while (right - left > 1) {
                const unsigned middle = (left + right) / 2;
                const double sd = sqrt((right - left) / 4.0);
                for (unsigned c = 0; c < 2; c++) {
                    level[c][middle] = (level[c][left] + level[c][right]) / 2 + sd * normal();
                }
                open[depth++] = right;
                right = middle;
            }
            if (depth == 0) return;
            left = right;
            right = open[--depth];
        }
    }

    __device__ double normal() { return normcdfinv(((*draw)() + 0.5) * 0x1p-32); }
};

struct Increments {
    const double (*level)[most_steps + 1];
    unsigned drawn = 0;
    __device__ double operator()() {
        const unsigned t = drawn / 2, c = drawn++ % 2;
        return level[c][t + 1] - level[c][t];
    }
};

struct Words {
    rng::MrgDraws* draw;
    __device__ asian::WordPair operator()() {
        const unsigned a = (*draw)();
        return {a, (*draw)()};
    }
};

template <unsigned steps>
__device__ Payoffs bridge(rng::MrgDraws* draw) {
    rng::MrgDraws same = *draw;
    const float excess = asian::BridgePath<steps>().excess(Words{draw});
    double level[2][most_steps + 1] = {};
    ExactBridge exact = {&same, level};
    for (unsigned c = 0; c < 2; c++) level[c][steps] = sqrt(double{steps}) * exact.normal();
    exact.walk(0, steps);
    return {fmaxf(excess, 0.0f), asian::path(asian::model(steps), Increments{level}).payoff};
}

struct Differences {
    double sum, squares, largest;
};

template <Payoffs (*payoffs)(rng::MrgDraws*)>
__global__ void __launch_bounds__(threads) compare(Differences* of_threads) {
    rng::MrgDraws draw({1234, 0, rng::grid_threads(), rng::grid_thread()});
    Differences mine = {};
    for (unsigned i = 0; i < paths_of_thread; i++) {
        const Payoffs found = payoffs(&draw);
        const double difference = found.in_float - found.in_double;
        mine.sum += difference;
        mine.squares += difference * difference;
        mine.largest = fmax(mine.largest, fabs(difference));
    }
    of_threads[rng::grid_thread()] = mine;
}

template <unsigned steps>
void enqueue_compare(FloatPath path, Differences* of_threads) {
    switch (path) {
        case FloatPath::prices:
            compare<prices<steps>><<<blocks, threads>>>(of_threads);
            break;
        case FloatPath::logarithms:
            compare<logarithms<steps>><<<blocks, threads>>>(of_threads);
            break;
        case FloatPath::bridge:
            compare<bridge<steps>><<<blocks, threads>>>(of_threads);
            break;
    }
    CUDA_CHECK(cudaGetLastError());
}

}  // namespace

PayoffError payoff_error(FloatPath path, unsigned steps) {
    const bench::DeviceBuffer<Differences> of_threads(blocks * threads);
    if (steps == 16) {
        enqueue_compare<16>(path, of_threads.data());
    } else if (steps == 64) {
        enqueue_compare<64>(path, of_threads.data());
    } else {
        enqueue_compare<256>(path, of_threads.data());
    }
    std::vector<Differences> differences(of_threads.size());
    CUDA_CHECK(cudaMemcpy(differences.data(), of_threads.data(), differences.size() * sizeof(Differences),
                          cudaMemcpyDeviceToHost));
    Differences all = {};
    for (const Differences& one : differences) {
        all.sum += one.sum;
        all.squares += one.squares;
        all.largest = std::fmax(all.largest, one.largest);
    }
    constexpr double n = double{blocks} * threads * paths_of_thread;
    const double mean = all.sum / n;
    return {mean, std::sqrt((all.squares / n - mean * mean) / n), all.largest};
}
