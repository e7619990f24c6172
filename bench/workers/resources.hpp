// CUDA resources that free themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "bench/step.hpp"
#include "bench/workers/check.hpp"

namespace bench {

/// Device memory for `size` values of T.
template <typename T>
class DeviceBuffer {
 public:
    explicit DeviceBuffer(std::size_t size) : size_(size) {
        if (size_ > 0) {
            CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)));
        }
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    DeviceBuffer(DeviceBuffer&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~DeviceBuffer() { cudaFree(data_); }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }

 private:
    T* data_ = nullptr;
    std::size_t size_;
};

/// A copy in device memory, complete for any stream. Throws CudaError.
template <typename T>
DeviceBuffer<T> on_device(const std::vector<T>& values) {
    DeviceBuffer<T> copy(values.size());
    CUDA_CHECK(cudaMemcpy(copy.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaDeviceSynchronize());  // a copy from pageable memory may go on, and other streams do not wait for it
    return copy;
}

/// Host memory of `size` bytes, with every bit set, so that its pages exist.
class HostBuffer {
 public:
    static HostBuffer pageable(std::size_t size) { return HostBuffer(size, false); }
    static HostBuffer pinned(std::size_t size) { return HostBuffer(size, true); }  // for the GPU's copy engines
    HostBuffer(const HostBuffer&) = delete;
    HostBuffer& operator=(const HostBuffer&) = delete;
    HostBuffer& operator=(HostBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(pinned_, other.pinned_);
        return *this;
    }
    ~HostBuffer() {
        if (pinned_) {
            cudaFreeHost(data_);
        } else {
            std::free(data_);
        }
    }

    unsigned char* data() const { return data_; }
    std::size_t size() const { return size_; }

 private:
    HostBuffer(std::size_t size, bool pinned) : size_(size), pinned_(pinned) {
        if (size_ == 0) return;
        if (pinned_) {
            CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&data_), size_));
        } else if (!(data_ = static_cast<unsigned char*>(std::malloc(size_)))) {
            throw std::bad_alloc();
        }
        std::memset(data_, 0xff, size_);
    }

    unsigned char* data_ = nullptr;
    std::size_t size_;
    bool pinned_;
};

class Stream {
 public:
    Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream_); }

    cudaStream_t get() const { return stream_; }
    void synchronize() const { CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
    cudaStream_t stream_ = nullptr;
};

/// A mark in a stream with the time at which the GPU passed it.
class Event {
 public:
    Event() { CUDA_CHECK(cudaEventCreate(&event_)); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    Event(Event&& other) noexcept : event_(other.event_) { other.event_ = nullptr; }
    ~Event() {
        if (event_) cudaEventDestroy(event_);
    }

    void record(const Stream& stream) { record(stream.get()); }
    void record(cudaStream_t stream) { CUDA_CHECK(cudaEventRecord(event_, stream)); }
    /// Makes later work on `stream` wait for this event.
    void hold(cudaStream_t stream) const { CUDA_CHECK(cudaStreamWaitEvent(stream, event_, 0)); }
    bool passed() const {
        const cudaError_t status = cudaEventQuery(event_);
        if (status == cudaErrorNotReady) return false;
        CUDA_CHECK(status);
        return true;
    }
    /// Milliseconds from `earlier` to this event; both have passed.
    double ms_since(const Event& earlier) const {
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, earlier.event_, event_));
        return ms;
    }

 private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace bench
