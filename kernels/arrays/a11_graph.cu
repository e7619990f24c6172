// Step 11: one graph
// Change: as a10, but its kernels are one CUDA graph, which is instantiated before the first launch. A launch sets the
//         launch number and the place of the counts in device memory, by one small kernel, and starts the graph.
// Why:    the GPU itself starts the kernels of a graph, one after the other, without the CPU. Predicted: gaps of 0.5 to 1
//         microsecond, and so 250 to 300 samples/ns.
// Cost:   as a10, and one small kernel per launch.
// Limit:  the gaps that are left, and Philox's instructions. Next: one kernel for all chunks.
// Note:   a graph repeats its arguments. A launch number among them would give every launch the same words.
#include "bench/estimands/hits/source.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/arrays/shared/cached_chunk.cuh"
#include "kernels/pi/shared/sources.hpp"

namespace arrays::a11 {

using bench::Count;
using bench::Launch;

constexpr unsigned max_threads = 1024;

/// What changes from launch to launch.
struct Current {
    std::uint64_t launch;
    Count* totals;
};

__global__ void set(Current* current, Current now) { *current = now; }

__global__ void __launch_bounds__(max_threads) make(Chunk chunk, std::uint64_t seed, const Current* current) {
    make_words(chunk, seed, current->launch);
}

__global__ void __launch_bounds__(max_threads) count(Chunk chunk, const Current* current) {
    add_hits(chunk, current->totals);
}

/// The graph of a launch.
class Graph : public bench::Equipment {
 public:
    explicit Graph(const Launch& l) : current_(1) {
        const bench::Stream stream;
        CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
        const cudaError_t enqueued = enqueue(l, stream.get());
        cudaGraph_t graph = nullptr;
        CUDA_CHECK(cudaStreamEndCapture(stream.get(), &graph));
        CUDA_CHECK(enqueued);
        const cudaError_t instantiated = cudaGraphInstantiate(&graph_, graph, 0);
        CUDA_CHECK(cudaGraphDestroy(graph));
        CUDA_CHECK(instantiated);
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() override { cudaGraphExecDestroy(graph_); }

    cudaError_t launch(const Launch& l) const {
        set<<<1, 1, 0, l.stream>>>(current_.data(), {l.index, l.counts});
        const cudaError_t error = cudaGetLastError();
        return error != cudaSuccess ? error : cudaGraphLaunch(graph_, l.stream);
    }

 private:
    cudaError_t enqueue(const Launch& l, cudaStream_t stream) const {
        return for_each_chunk(l, [&](const Chunk& chunk) {
            make<<<l.shape.blocks, l.shape.threads, 0, stream>>>(chunk, l.seed, current_.data());
            count<<<l.shape.blocks, l.shape.threads, 0, stream>>>(chunk, current_.data());
            return cudaGetLastError();
        });
    }

    bench::DeviceBuffer<Current> current_;
    cudaGraphExec_t graph_ = nullptr;
};

std::unique_ptr<bench::Equipment> equip(const Launch& l) { return std::make_unique<Graph>(l); }

cudaError_t launch(const Launch& l) { return static_cast<const Graph*>(l.equipment)->launch(l); }

extern const bench::Step step;
const bench::Step step = {
    .name = "a11",
    .after = "a10",
    .title = "One graph",
    .technique = "a10's kernels as a CUDA graph, launch number in device memory",
    .lesson = "Work whose order is known beforehand can be handed over once; the gaps shrink, but they stay.",
    .estimand = bench::hits({.source = pi::sources::philox}),
    .default_blocks = fixed_blocks,
    .default_threads = fixed_threads,
    .default_iters = fixed_iters,
    .loops_from = bench::plain_loops,
    .kernel = reinterpret_cast<const void*>(make),
    .scratch_bytes = chunk_bytes<>,
    .equip = equip,
    .arrays = {.inspect = inspect_chunk<>},
    .phases = {{"sample", launch}},
};

}  // namespace arrays::a11
