// Measures the clock of a multiprocessor.
#pragma once

#include <cuda_runtime_api.h>

namespace bench {

/// The counts of a probe between two ticks of the global timer.
struct ClockProbe {
    long long cycles;
    long long ns;

    double mhz() const { return 1e3 * static_cast<double>(cycles) / static_cast<double>(ns); }
};

/// Enqueues a kernel of one thread that compares its multiprocessor's cycle counter (clock64) with the global timer
/// over `ns` nanoseconds. It stores the counts where the GPU can write: in its memory, or pinned on the host.
cudaError_t enqueue_clock_probe(ClockProbe* result, long long ns, cudaStream_t stream);

}  // namespace bench
