#include <algorithm>
#include <cstddef>
#include <functional>

#include "bench/host.hpp"
#include "bench/limits/limits.hpp"
#include "bench/measure/statistics.hpp"
#include "bench/workers/resources.hpp"

namespace bench {
namespace {

constexpr std::size_t bytes = std::size_t{1} << 29;        // that cross PCIe
constexpr std::size_t most_on_gpu = std::size_t{1} << 32;  // the start of a kernel is a small part
constexpr unsigned timings = 9;

double median_of(const std::function<double()>& ms_of_transfer) {
    ms_of_transfer();  // warms up
    std::vector<double> ms;
    for (unsigned i = 0; i < timings; i++) ms.push_back(ms_of_transfer());
    return summarize(ms).median;
}

Limit limit(const char* name, std::size_t moved, const std::function<double()>& ms_of_transfer) {
    return {name, static_cast<double>(moved) / (median_of(ms_of_transfer) * 1e6)};
}

/// Milliseconds of a copy, by the host's clock.
double copy_ms(void* to, const void* from, cudaMemcpyKind kind) {
    const double start = monotonic_seconds();
    CUDA_CHECK(cudaMemcpy(to, from, bytes, kind));
    CUDA_CHECK(cudaDeviceSynchronize());
    return (monotonic_seconds() - start) * 1e3;
}

/// Milliseconds of enqueued work, by the GPU's clock.
double gpu_ms(const Stream& stream, const std::function<void()>& enqueue) {
    Event begin, end;
    begin.record(stream);
    enqueue();
    end.record(stream);
    stream.synchronize();
    return end.ms_since(begin);
}

/// What the GPU moves in its memory: the most, or half of what is free.
std::size_t bytes_on_gpu() {
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    constexpr std::size_t step = std::size_t{1} << 20;
    return std::min(most_on_gpu, free / 2 / step * step);
}

}  // namespace

std::vector<Limit> measure_bandwidths() {
    const HostBuffer pinned = HostBuffer::pinned(bytes), pageable = HostBuffer::pageable(bytes);
    const DeviceBuffer<unsigned char> memory(std::max(bytes, bytes_on_gpu()));
    const DeviceBuffer<unsigned> sum(1);
    const Stream stream;
    const std::size_t all = memory.size(), half = all / 2;
    CUDA_CHECK(cudaMemset(memory.data(), 0, all));

    const auto up = [&](const HostBuffer& host) {
        return [&] { return copy_ms(memory.data(), host.data(), cudaMemcpyHostToDevice); };
    };
    const auto down = [&](const HostBuffer& host) {
        return [&] { return copy_ms(host.data(), memory.data(), cudaMemcpyDeviceToHost); };
    };
    const auto copy = [&] {
        CUDA_CHECK(cudaMemcpyAsync(memory.data() + half, memory.data(), half, cudaMemcpyDeviceToDevice, stream.get()));
    };
    const auto read = [&] { CUDA_CHECK(enqueue_read_all(memory.data(), all, sum.data(), stream.get())); };
    const auto write = [&] { CUDA_CHECK(enqueue_write_all(memory.data(), all, stream.get())); };
    return {limit("pcie_up_pinned", bytes, up(pinned)),
            limit("pcie_up_pageable", bytes, up(pageable)),
            limit("pcie_down_pinned", bytes, down(pinned)),
            limit("pcie_down_pageable", bytes, down(pageable)),
            limit("dram_copy", all, [&] { return gpu_ms(stream, copy); }),
            limit("dram_read", all, [&] { return gpu_ms(stream, read); }),
            limit("dram_write", all, [&] { return gpu_ms(stream, write); })};
}

}  // namespace bench
