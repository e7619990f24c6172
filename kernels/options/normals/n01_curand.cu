// Step 1: cuRAND
// Change: the first step. A kernel sets up a state of cuRAND's XORWOW for each thread in global memory, and a second one
//         draws normals with curand_normal.
// Why:    this is what one writes first, and what most examples show. Predicted: 800 normals/ns on an H200.
// Cost:   18.3 instructions per normal and 2 results of the XU: half of a pair. curand_normal makes two normals by
//         Box-Muller, returns one, and keeps the other in the state for the next call. nvcc sees that of two calls in a row
//         one makes a pair, whatever the state says. So it makes one pair for two calls, without a branch, and two
//         selections put its normals in order. Beside this 48 bytes of state, read and written once per thread and launch,
//         and the set-up: some thousand instructions per thread.
// Limit:  the issue slots (1,825 normals/ns), then the XU; --store: DRAM. Next: both normals of a pair at once, and fewer
//         words of state.
// Note:   cuRAND maps a word to u in (0, 1], as the other steps do. Its sine and cosine are those of the special function
//         unit; with --use_fast_math its logarithm and root are too.
#include "bench/step.hpp"
#include "kernels/options/normals/shared/consumer.cuh"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace normals::n1 {

using bench::Count;
using bench::Launch;

constexpr unsigned threads = 256;

__global__ void __launch_bounds__(threads) set_up(curandState_t* states, std::uint64_t seed, std::uint64_t launch) {
    curand_init(seed, rng::subsequence(launch), 0, &states[rng::grid_thread()]);
}

template <typename Output>
__global__ void __launch_bounds__(threads)
    draw_normals(Count* counts, void* memory, curandState_t* states, unsigned iters) {
    curandState_t rng = states[rng::grid_thread()];

    Consumer<Output> consume(memory);
    for (unsigned i = 0; i < iters; i++) {
        for (unsigned j = 0; j < normals_per_group / 2; j++) {
            const float first = curand_normal(&rng);
            const float second = curand_normal(&rng);
            consume({first, second});
        }
        consume.end_group();
    }
    consume.publish(counts);

    states[rng::grid_thread()] = rng;
}

/// The states follow what the output needs.
template <typename Output>
curandState_t* states_of(const Launch& l) {
    return reinterpret_cast<curandState_t*>(static_cast<char*>(l.scratch) + Output::bytes);
}

template <typename Output>
std::size_t memory(bench::Shape shape, unsigned) {
    return Output::bytes + bench::bytes_of(bench::total_threads(shape), sizeof(curandState_t));
}

template <typename Output>
cudaError_t seed(const Launch& l) {
    set_up<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(states_of<Output>(l), l.seed, l.index);
    return cudaGetLastError();
}

template <typename Output>
cudaError_t launch(const Launch& l) {
    draw_normals<Output>
        <<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.scratch, states_of<Output>(l), l.iters);
    return cudaGetLastError();
}

bench::Step with_states_after_the_ring(bench::Step stored) {
    stored.scratch_bytes = memory<InMemory>;
    stored.phases[0].run = seed<InMemory>;
    return stored;
}

extern const bench::Step step, stored;
const bench::Step step = {
    .name = "n1",
    .title = "cuRAND",
    .technique = "XORWOW states in global memory, curand_normal",
    .lesson =
        "The library's generator is correct and general; its state travels, and every second call only tests a flag.",
    .estimand =
        estimand(rng::XorwowDraws::generator.name, bench::Soundness::sound_in_24_bits, of_normal, replay::of_xorwow),
    .default_threads = threads,
    .default_iters = usual_groups,
    .most_iters = most_groups,
    .loops_from = loops_from,
    .kernel = reinterpret_cast<const void*>(draw_normals<InRegisters>),
    .counts = counts,
    .scratch_bytes = memory<InRegisters>,
    .phases = {{"seed", seed<InRegisters>}, {"sample", launch<InRegisters>}},
    .own = {.options = store_option(stored)},
};
const bench::Step stored = with_states_after_the_ring(
    stored_form(step, "n1_store", reinterpret_cast<const void*>(draw_normals<InMemory>), launch<InMemory>));

}  // namespace normals::n1
