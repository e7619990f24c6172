// Starts of a launch, drawn and sorted before the walk, as v6 introduced them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <memory>

#include "bench/workers/resources.hpp"
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls {

using SortedTables = AdjointTables<StructRows>;

/// Sorts the states that the histories of a launch start at.
class StartSorter : public Uploaded<SortedTables> {
 public:
    /// Throws CudaError.
    explicit StartSorter(const bench::Launch& l)
        : Uploaded(walks_of(l.problem)),
          drawn_(walks_of(l.problem).histories),
          sorted_(drawn_.size()),
          memory_(memory_needed(l.stream)) {}

    std::uint32_t* drawn() const { return drawn_.data(); }
    const std::uint32_t* sorted() const { return sorted_.data(); }
    std::uint64_t histories() const { return drawn_.size(); }

    cudaError_t sort(cudaStream_t stream) const {
        std::size_t bytes = memory_.size();
        return sort(memory_.data(), bytes, stream);
    }

 private:
    cudaError_t sort(void* memory, std::size_t& bytes, cudaStream_t stream) const {
        int bits = 1;
        while (method.rows.n - 1 >> bits) bits++;
        return cub::DeviceRadixSort::SortKeys(memory, bytes, drawn_.data(), sorted_.data(), histories(), 0, bits,
                                              stream);
    }

    std::size_t memory_needed(cudaStream_t stream) const {
        std::size_t bytes = 0;
        CUDA_CHECK(sort(nullptr, bytes, stream));
        return bytes;
    }

    bench::DeviceBuffer<std::uint32_t> drawn_, sorted_;
    bench::DeviceBuffer<unsigned char> memory_;
};

/// For Step::equip.
inline std::unique_ptr<bench::Equipment> equip_sorter(const bench::Launch& l) {
    return std::make_unique<StartSorter>(l);
}

inline const StartSorter& sorter_of(const bench::Launch& l) { return static_cast<const StartSorter&>(*l.equipment); }

/// The first numbers of each thread are the starts of its histories.
template <class Loads>
__global__ void __launch_bounds__(report_threads)
    draw(const __grid_constant__ DoubleStarts starts, curandState_t* states, std::uint64_t histories,
         std::uint32_t* drawn) {
    Uniforms numbers(states[rng::grid_thread()]);
    for (std::uint64_t h = rng::grid_thread(); h < histories; h += rng::grid_threads()) {
        drawn[h] = start_state<Loads>(starts, numbers.next());
    }
    states[rng::grid_thread()] = numbers.state();
}

/// Two phases.
template <class Loads>
cudaError_t draw_starts(const bench::Launch& l) {
    const StartSorter& sorter = sorter_of(l);
    draw<Loads><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(
        sorter.method.starts, static_cast<curandState_t*>(l.scratch), sorter.histories(), sorter.drawn());
    return cudaGetLastError();
}
inline cudaError_t sort_starts(const bench::Launch& l) { return sorter_of(l).sort(l.stream); }

}  // namespace mcls
