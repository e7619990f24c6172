// What the launches of a step work in: memory on both sides, and the step's equipment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bench/launch_spec.hpp"
#include "bench/step.hpp"
#include "bench/workers/gpu/resources.hpp"

namespace bench {

/// Throws UsageError, naming the bytes, if the current device or this machine cannot hold what `batch` launches need that are
/// timed together.
void require_memory(const Step& step, const Work& work, unsigned batch);

class Workspace {
 public:
    /// Allocates what launches of `step` need, for up to `launches` whose counts are kept, and makes its equipment.
    Workspace(const Step& step, const Work& work, const Stream& stream, unsigned launches = 1);

    /// Makes room for the counts of `launches` launches. Forgets counts.
    void reserve(unsigned launches);

    /// Fills counts and device memory with a byte that no launch writes everywhere.
    void poison(unsigned launches);

    /// Launch number `index` of the run, which publishes the counts of place `place`.
    Launch launch(std::uint64_t index, unsigned place = 0) const;

    /// The counts of the launch in the first place, and how many a launch publishes. With Clock::gpu in device memory.
    Count* counts() const;
    std::size_t counts_per_launch() const { return counts_per_launch_; }

 private:
    const Step& step_;
    Work work_;
    const Stream& stream_;
    std::size_t counts_per_launch_;
    DeviceBuffer<unsigned char> scratch_;
    HostBuffer host_;
    DeviceBuffer<Count> device_counts_;
    HostBuffer host_counts_;  // with Clock::wall
    std::unique_ptr<Equipment> equipment_;
};

}  // namespace bench
