// CUDA resources that free themselves.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "bench/cuda/check.hpp"

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

    void record(const Stream& stream) { CUDA_CHECK(cudaEventRecord(event_, stream.get())); }
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
