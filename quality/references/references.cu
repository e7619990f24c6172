#include <cuda_runtime.h>

#include <cmath>
#include <deque>

#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/options/asian/shared/option.hpp"
#include "kernels/options/lookback/shared/option.hpp"
#include "kernels/random/curand_directions.hpp"
#include "kernels/random/philox.cuh"
#include "kernels/random/stream_seed.cuh"
#include "kernels/random/thread_id.cuh"
#include "quality/references/references.hpp"

namespace references {
namespace {

constexpr unsigned threads = 256, blocks = least_points / threads;
constexpr unsigned most_steps = 256;

/// A path's payoff and its controls, from `normal()`.
struct Values {
    double payoff, control[2];
};

struct AsianPath {
    static constexpr unsigned normals = 2;  // of a step
    template <typename Normal>
    __device__ static Values walk(unsigned steps, Normal normal) {
        const asian::Path<double> path = asian::path(asian::model(steps), normal);
        return {path.payoff, {path.geo_a, path.geo_b}};
    }
};

struct LookbackPath {
    static constexpr unsigned normals = 1;
    template <typename Normal>
    __device__ static Values walk(unsigned steps, Normal normal) {
        const lookback::Path path = lookback::path(steps, normal);
        return {path.payoff, {path.twin, 0}};
    }
};

/// A date of the bridge between two that are known: weights of these, and the standard deviation around their mean.
struct Node {
    unsigned left, date, right;
    double of_left, of_right, sd;
};

/// The nodes by weight, first the last date: halves are halved breadth first. `steps` need not be a power of two.
std::vector<Node> bridge(unsigned steps) {
    std::vector<Node> nodes = {{0, steps, 0, 0, 0, std::sqrt(steps)}};
    std::deque<std::pair<unsigned, unsigned>> open = {{0, steps}};
    while (!open.empty()) {
        const auto [left, right] = open.front();
        open.pop_front();
        if (right - left < 2) continue;
        const unsigned date = (left + right) / 2;
        const double before = date - left, after = right - date, length = right - left;
        nodes.push_back({left, date, right, after / length, before / length, std::sqrt(before * after / length)});
        open.push_back({left, date});
        open.push_back({date, right});
    }
    return nodes;
}

__device__ void add(LaunchMeans& sums, const Values& path) {
    double power = 1;
    for (double& sum : sums.power) {
        sum += power;
        power *= path.payoff;
    }
    sums.positive += path.payoff > 0 ? 1 : 0;
    for (unsigned i = 0; i < 2; i++) {
        sums.control[i] += path.control[i];
        sums.control_square[i] += path.control[i] * path.control[i];
        sums.with_payoff[i] += path.payoff * path.control[i];
    }
    sums.controls_product += path.control[0] * path.control[1];
}

constexpr unsigned columns = sizeof(LaunchMeans) / sizeof(double);

/// Adds up the block's sums in a fixed order.
__device__ void publish(const LaunchMeans& mine, LaunchMeans* of_blocks) {
    __shared__ double of_threads[threads];
    for (unsigned column = 0; column < columns; column++) {
        of_threads[threadIdx.x] = reinterpret_cast<const double*>(&mine)[column];
        for (unsigned half = threads / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half) of_threads[threadIdx.x] += of_threads[threadIdx.x + half];
        }
        if (threadIdx.x == 0) reinterpret_cast<double*>(&of_blocks[blockIdx.x])[column] = of_threads[0];
        __syncthreads();
    }
}

/// What a launch needs: words[d * threads + t] is coordinate d of the point of thread t.
struct SobolLaunch {
    std::uint32_t* words;
    const std::uint32_t* directions;  // of all dimensions for bit 0, then for bit 1, ...
    const Node* nodes;
};

/// The normals of a path: what its bridges rise by in each step.
template <unsigned bridges>
struct Increments {
    const double (*level)[most_steps + 1];
    unsigned date = 0, bridge = 0;

    __device__ double operator()() {
        const double normal = level[bridge][date + 1] - level[bridge][date];
        if (++bridge == bridges) bridge = 0, date++;
        return normal;
    }
};

/// Each thread takes `points` successive points in the order of Gray codes.
template <typename Option>
__global__ void __launch_bounds__(threads) walk_sobol(LaunchMeans* of_blocks, SobolLaunch l, unsigned steps,
                                                      unsigned points, std::uint64_t seed, std::uint64_t launch) {
    const unsigned dimensions = Option::normals * steps, thread = rng::grid_thread();
    std::uint32_t* words = l.words + thread;
    const unsigned first = thread * points, code = first ^ first >> 1;
    for (unsigned d = 0; d < dimensions; d++) {
        std::uint32_t word = rng::stream_seed(seed, launch, 0, d);
        for (unsigned bit = 0; bit < 32; bit++) {
            if (code >> bit & 1) word ^= l.directions[bit * dimensions + d];
        }
        words[d * rng::grid_threads()] = word;
    }
    LaunchMeans sums = {};
    for (unsigned i = 0; i < points; i++) {
        const std::uint32_t* flip = l.directions + (__ffs(first + i + 1) - 1) * dimensions;
        double level[Option::normals][most_steps + 1];
        for (unsigned k = 0; k < steps; k++) {
            const Node node = l.nodes[k];
            for (unsigned c = 0; c < Option::normals; c++) {
                const unsigned d = Option::normals * k + c;
                std::uint32_t& word = words[d * rng::grid_threads()];
                const double z = normcdfinv((word + 0.5) * 0x1p-32);
                if (i + 1 < points) word ^= flip[d];
                if (k == 0) level[c][0] = 0;
                const double middle =
                    k == 0 ? 0 : node.of_left * level[c][node.left] + node.of_right * level[c][node.right];
                level[c][node.date] = middle + node.sd * z;
            }
        }
        add(sums, Option::walk(steps, Increments<Option::normals>{level}));
    }
    publish(sums, of_blocks);
}

/// Normals by Box-Muller from the counters of a path.
struct PhiloxNormals {
    rng::PhiloxKey key;
    std::uint32_t path, launch, drawn = 0;
    double next = 0;

    __device__ double operator()() {
        if (drawn++ % 2 != 0) return next;
        const rng::PhiloxCounter words = rng::philox4x32_10({{drawn, path, launch, 0}}, key);
        const double u = (words.word[0] + (words.word[1] + 0.5) * 0x1p-32) * 0x1p-32;
        const double radius = sqrt(-2 * log(u));
        double cosine;
        sincospi((words.word[2] + (words.word[3] + 0.5) * 0x1p-32) * 0x1p-31, &next, &cosine);
        next *= radius;
        return radius * cosine;
    }
};

/// Each path has its own counters of Philox4x32-10.
template <typename Option>
__global__ void __launch_bounds__(threads)
    walk_random(LaunchMeans* of_blocks, unsigned steps, unsigned points, std::uint64_t seed, std::uint64_t launch) {
    const rng::PhiloxKey key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    LaunchMeans sums = {};
    for (unsigned i = 0; i < points; i++) {
        const auto path = static_cast<std::uint32_t>(rng::grid_thread() * points + i);
        add(sums, Option::walk(steps, PhiloxNormals{key, path, static_cast<std::uint32_t>(launch)}));
    }
    publish(sums, of_blocks);
}

LaunchMeans means_of(const bench::DeviceBuffer<LaunchMeans>& of_blocks) {
    std::vector<LaunchMeans> sums(of_blocks.size());
    CUDA_CHECK(cudaMemcpy(sums.data(), of_blocks.data(), sums.size() * sizeof(sums[0]), cudaMemcpyDeviceToHost));
    LaunchMeans means = {};
    auto* mean = reinterpret_cast<double*>(&means);
    for (const LaunchMeans& block : sums) {
        for (unsigned column = 0; column < columns; column++) {
            mean[column] += reinterpret_cast<const double*>(&block)[column];
        }
    }
    const double paths = means.power[0];
    for (unsigned column = 0; column < columns; column++) mean[column] /= paths;
    return means;
}

template <typename Path>
LaunchMeans run_with(const Option& option, const Plan& plan, std::uint64_t launch) {
    const unsigned dimensions = Path::normals * option.steps;
    const auto points = static_cast<unsigned>(plan.of_launch / least_points);
    const bench::DeviceBuffer<LaunchMeans> of_blocks(blocks);
    if (plan.points == Points::random) {
        walk_random<Path><<<blocks, threads>>>(of_blocks.data(), option.steps, points, plan.seed, launch);
        CUDA_CHECK(cudaGetLastError());
        return means_of(of_blocks);
    }
    const bench::DeviceBuffer<std::uint32_t> words(std::size_t{dimensions} * least_points);
    const auto directions = bench::on_device(rng::curand_directions(dimensions));
    const auto nodes = bench::on_device(bridge(option.steps));
    walk_sobol<Path><<<blocks, threads>>>(of_blocks.data(), {words.data(), directions.data(), nodes.data()},
                                          option.steps, points, plan.seed, launch);
    CUDA_CHECK(cudaGetLastError());
    return means_of(of_blocks);
}

}  // namespace

LaunchMeans run(const Option& option, const Plan& plan, std::uint64_t launch) {
    return option.name == "asian" ? run_with<AsianPath>(option, plan, launch)
                                  : run_with<LookbackPath>(option, plan, launch);
}

}  // namespace references
