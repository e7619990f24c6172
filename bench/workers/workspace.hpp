// What the launches of a step work in: memory on both sides, and the step's equipment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bench/step.hpp"
#include "bench/workers/resources.hpp"

namespace bench {

/// Throws UsageError, naming the bytes, if the current device or this machine cannot hold what `batch` launches need that are
/// timed together.
void require_memory(const Step& step, const LaunchSpec& spec, unsigned batch);

class Workspace {
 public:
    /// Allocates what launches of `step` need, for up to `launches` whose counts are kept, and makes its equipment. On the CPU
    /// there is no stream. Step and specification outlive it.
    Workspace(const Step& step, const LaunchSpec& spec, cudaStream_t stream, unsigned launches = 1);

    /// Makes room for the counts of `launches` launches. Forgets counts.
    void reserve(unsigned launches);

    /// Fills counts and scratch memory with a byte that no launch writes everywhere.
    void poison(unsigned launches);

    /// Launch number `index` of the run, which publishes the counts of place `place`.
    Launch launch(std::uint64_t index, unsigned place = 0) const;

    /// The counts of the launch in the first place, those of the others behind them. With Clock::gpu in device memory.
    Count* counts() const;

 private:
    bool has_counts_on_host() const { return clock_of(step_) == Clock::wall; }

    const Step& step_;
    const LaunchSpec& spec_;
    cudaStream_t stream_;
    DeviceBuffer<unsigned char> scratch_;
    HostBuffer scratch_on_host_;  // on the CPU
    HostBuffer arrays_;
    DeviceBuffer<Count> device_counts_;
    HostBuffer host_counts_;  // with Clock::wall
    std::unique_ptr<Equipment> equipment_;
};

/// Waits until the stream of a launch is idle. On the CPU it has none.
inline void synchronize(const Launch& launch) {
    if (launch.stream) CUDA_CHECK(cudaStreamSynchronize(launch.stream));
}

/// Bytes of memory that new programs can use without swapping.
std::size_t available_memory();

/// Throws UsageError, naming the bytes, if a launch needs more memory of a kind ("GPU") than there is.
void require_bytes(std::size_t needed, std::size_t available, const char* kind);

}  // namespace bench
