// Walks on a graph whose table is in device memory: what g1 and its ablations share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "bench/step.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/graph/shared/visits.hpp"
#include "kernels/options/shared/published_sums.cuh"
#include "kernels/random/draws.cuh"
#include "kernels/random/thread_id.cuh"

namespace graph {

inline constexpr unsigned walking_threads = 256;
inline constexpr unsigned walking_blocks = 2;  // per multiprocessor: so many walks keep DRAM busy, and more crowd it

/// The table of a graph: the entries of all slots.
template <typename Entry>
struct GraphTable : bench::Equipment {
    explicit GraphTable(std::size_t slots) : entries(slots) {}
    bench::DeviceBuffer<Entry> entries;
};

template <typename Graph>
__global__ void __launch_bounds__(walking_threads) fill_table(typename Graph::Entry* entries, Graph graph) {
    const std::uint64_t slot = rng::grid_thread();
    entries[slot] = graph.entry(static_cast<std::uint32_t>(slot));
}

template <typename Graph>
std::unique_ptr<bench::Equipment> make_table(const bench::Launch& l) {
    auto table = std::make_unique<GraphTable<typename Graph::Entry>>(std::size_t{1} << Graph::log2_slots);
    constexpr unsigned blocks = (std::uint64_t{1} << Graph::log2_slots) / walking_threads;
    fill_table<<<blocks, walking_threads>>>(table->entries.data(), Graph(l.seed));
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    return table;
}

template <typename Graph>
__global__ void __launch_bounds__(walking_threads)
    walk_graph(bench::Count* counts, const typename Graph::Entry* __restrict__ entries, unsigned walks,
               std::uint64_t seed, std::uint64_t launch) {
    rng::Mwc64xDraws draw({seed, launch, rng::grid_threads(), rng::grid_thread()});

    options::PublishedSums<visit_bits, visit_bits, visit_bits> sums;
    for (unsigned i = 0; i < walks; i++) {
        std::uint64_t visits = 0;  // 16 bits for each quarter
        std::uint32_t slot = draw() >> (32 - Graph::log2_slots);
        for (unsigned j = 0; j < steps; j += Graph::steps) {
            const typename Graph::Entry entry = entries[slot];
            Graph::visit(entry, [&](std::uint32_t quarter) { visits += std::uint64_t{1} << (16 * quarter); });
            slot = chosen(Graph::slots_of(entry), draw());
        }
        const auto to = [&](unsigned quarter) { return static_cast<float>(visits >> (16 * quarter) & 0xffff); };
        sums.add(to(0), to(1), to(2));
    }
    options::publish(sums, counts);
}

template <typename Graph>
cudaError_t launch_walks(const bench::Launch& l) {
    walk_graph<Graph><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(
        l.counts, static_cast<GraphTable<typename Graph::Entry>*>(l.equipment)->entries.data(), l.iters, l.seed,
        l.index);
    return cudaGetLastError();
}

}  // namespace graph
