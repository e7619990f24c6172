#include <algorithm>
#include <cstddef>
#include <functional>

#include "bench/host.hpp"
#include "bench/limits/limits.hpp"
#include "bench/workers/resources.hpp"

namespace bench {
namespace {

constexpr std::size_t bytes = std::size_t{1} << 29;        // that cross PCIe
constexpr std::size_t most_on_gpu = std::size_t{1} << 32;  // the start of a kernel is a small part
constexpr unsigned timings = 9;                            // an odd number, which has a median

constexpr unsigned threads = 256;

/// One access of 16 bytes a thread. With a loop over the grid an H200 reads 1 % and writes 7 % slower.
__device__ std::size_t mine() { return std::size_t{blockIdx.x} * threads + threadIdx.x; }

__global__ void __launch_bounds__(threads) read_all(const uint4* values, std::size_t n, unsigned* sum) {
    const std::size_t i = mine();
    if (i >= n) return;
    const uint4 value = values[i];
    const unsigned all = value.x ^ value.y ^ value.z ^ value.w;
    if (all == 1) *sum = all;  // hardly ever; without it the compiler would leave the load out
}

__global__ void __launch_bounds__(threads) write_all(uint4* values, std::size_t n) {
    const std::size_t i = mine();
    if (i < n) values[i] = make_uint4(threadIdx.x, ~threadIdx.x, blockIdx.x, ~blockIdx.x);
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads - 1) / threads); }

double median_of(const std::function<double()>& ms_of_transfer) {
    ms_of_transfer();  // warms up
    std::vector<double> ms;
    for (unsigned i = 0; i < timings; i++) ms.push_back(ms_of_transfer());
    std::sort(ms.begin(), ms.end());
    return ms[timings / 2];
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
    auto* const values = reinterpret_cast<uint4*>(memory.data());
    const std::size_t n = all / sizeof(uint4);
    const auto read = [&] {
        read_all<<<blocks_for(n), threads, 0, stream.get()>>>(values, n, sum.data());
        CUDA_CHECK(cudaGetLastError());
    };
    const auto write = [&] {
        write_all<<<blocks_for(n), threads, 0, stream.get()>>>(values, n);
        CUDA_CHECK(cudaGetLastError());
    };
    return {limit("pcie_up_pinned", bytes, up(pinned)),
            limit("pcie_up_pageable", bytes, up(pageable)),
            limit("pcie_down_pinned", bytes, down(pinned)),
            limit("pcie_down_pageable", bytes, down(pageable)),
            limit("dram_copy", all, [&] { return gpu_ms(stream, copy); }),
            limit("dram_read", all, [&] { return gpu_ms(stream, read); }),
            limit("dram_write", all, [&] { return gpu_ms(stream, write); })};
}

}  // namespace bench
