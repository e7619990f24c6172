#include "bench/workers/gpu/device.hpp"

namespace bench {
namespace {

__device__ long long global_timer_ns() {
    long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));  // PTX ISA, "Special Registers"
    return ns;
}

/// Waits for the timer's next tick, so that both ends of the interval lie on a tick.
__device__ long long next_tick() {
    const long long now = global_timer_ns();
    long long tick = now;
    while (tick == now) {
        tick = global_timer_ns();
    }
    return tick;
}

__global__ void probe_clock(ClockProbe* result, long long ns) {
    const long long start_ns = next_tick();
    const long long start_cycles = clock64();
    long long end_ns = start_ns;
    while (end_ns - start_ns < ns) {
        end_ns = next_tick();
    }
    result->cycles = clock64() - start_cycles;
    result->ns = end_ns - start_ns;
}

}  // namespace

cudaError_t enqueue_clock_probe(ClockProbe* result, long long ns, cudaStream_t stream) {
    probe_clock<<<1, 1, 0, stream>>>(result, ns);
    return cudaGetLastError();
}

}  // namespace bench
