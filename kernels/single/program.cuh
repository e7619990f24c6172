// What stands in a single file (scripts/single) in place of bench/: a step's record as far as its launches need it, and a main.
// The script writes `step`, `expected` and `variance_ratio` before the main, and what else of bench/step.hpp it names.
#pragma once

#include "bench/step.hpp"

namespace bench {

/// One launch: what determines its counts, and where to store them.
struct Launch {
    std::uint64_t seed, index;  // launches are numbered from 0
    Shape shape;
    unsigned iters;
    Count* counts = nullptr;
    void* scratch = nullptr;
    cudaStream_t stream = nullptr;
};

/// Exact probability of a hit: `count` of `total` equally likely outcomes.
struct Expectation {
    std::uint64_t count;
    double total;
};

/// How a step is launched.
struct Step {
    const char* name;
    const char* title;
    unsigned default_blocks = 0;         // 0: use default_blocks_per_sm
    unsigned default_blocks_per_sm = 0;  // 0: as many as are resident at once
    unsigned default_threads;
    unsigned default_iters = 100'000;
    const void* kernel;
    std::size_t (*dynamic_shared_bytes)(unsigned threads) = [](unsigned) { return std::size_t{0}; };
    std::size_t (*counts)(Shape) = [](Shape shape) { return std::size_t{shape.blocks}; };
    std::size_t (*scratch_bytes)(Shape, unsigned iters) = [](Shape, unsigned) { return std::size_t{0}; };
    struct {
        const char* name;
        cudaError_t (*run)(const Launch&);
    } phases[2];
};

}  // namespace bench

void require(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(4);
}

/// As many blocks as the suite's program starts.
bench::Shape default_shape() {
    const unsigned threads = step.default_threads;
    int sms, resident;
    require(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, step.kernel, threads,
                                                          step.dynamic_shared_bytes(threads)));
    const unsigned per_sm = step.default_blocks_per_sm ? step.default_blocks_per_sm : resident;
    return {step.default_blocks ? step.default_blocks : per_sm * sms, threads};
}

int main(int argc, char** argv) {
    const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1234;
    constexpr unsigned launches = 16;  // the first is not timed
    const bench::Shape shape = default_shape();
    bench::Launch launch = {seed, 0, shape, step.default_iters};
    std::vector<bench::Count> counts(step.counts(shape));
    require(cudaMalloc(&launch.counts, counts.size() * sizeof counts[0]));
    require(cudaMalloc(&launch.scratch, step.scratch_bytes(shape, launch.iters)));
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin));
    require(cudaEventCreate(&end));

    const double samples_of_launch = static_cast<double>(bench::total_threads(shape)) * launch.iters;
    bench::Count hits = 0;
    double timed_ms = 0;
    for (; launch.index < launches; launch.index++) {
        require(cudaEventRecord(begin));
        for (const auto& phase : step.phases) require(phase.run ? phase.run(launch) : cudaSuccess);
        require(cudaEventRecord(end));
        require(cudaMemcpy(counts.data(), launch.counts, counts.size() * sizeof counts[0], cudaMemcpyDeviceToHost));
        for (bench::Count count : counts) hits += count;
        float ms;
        require(cudaEventElapsedTime(&ms, begin, end));
        timed_ms += launch.index == 0 ? 0 : ms;
    }

    const double samples = launches * samples_of_launch, p = expected.count / expected.total;
    const double sd = std::sqrt(samples * p * (1 - p) * variance_ratio);
    const double off = (static_cast<double>(hits) - samples * p) / sd;
    std::printf("%s  %s\n", step.name, step.title);
    std::printf("pi    %.9f from %llu hits of %.0f samples, %+.2f sd from its expectation\n", 4 * hits / samples, hits,
                samples, off);
    if (!(std::fabs(off) <= 5)) return 1;  // no rate of what does not count right
    std::printf("rate  %.5g samples/ns\n", (launches - 1) * samples_of_launch / (timed_ms * 1e6));
    return 0;
}
