// The hits of two arrays of words, tested and added in one pass by CUB.
#pragma once

#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_reduce.cuh>

#include "bench/contract.hpp"
#include "bench/cuda/resources.hpp"
#include "kernels/pi/device/coordinate.cuh"
#include "kernels/pi/device/hit.cuh"

namespace arrays {

/// The two words of a sample.
using Words = thrust::tuple<std::uint32_t, std::uint32_t>;

/// 1 if the words of x and y, through curand_uniform's map, are a hit, otherwise 0.
struct HitOfWords {
    __host__ __device__ unsigned operator()(const Words& words) const {
        return pi::is_hit(pi::to_curand_uniform(thrust::get<0>(words)), pi::to_curand_uniform(thrust::get<1>(words)));
    }
};

/// The sum of `Hit` over the samples of two arrays, with CUB's temporary memory for it.
template <typename Hit = HitOfWords>
class HitSum {
 public:
    explicit HitSum(std::uint64_t samples) : samples_(samples), temporary_(temporary_bytes(samples)) {}

    /// Enqueues the sum. `hits` is in any memory that the GPU reaches.
    cudaError_t enqueue(const std::uint32_t* x, const std::uint32_t* y, bench::Count* hits, cudaStream_t stream,
                        Hit hit = {}) const {
        std::size_t bytes = temporary_.size();
        return cub::DeviceReduce::Sum(temporary_.data(), bytes, hits_of(x, y, hit), hits, samples_, stream);
    }

 private:
    static auto hits_of(const std::uint32_t* x, const std::uint32_t* y, Hit hit) {
        return thrust::make_transform_iterator(thrust::make_zip_iterator(thrust::make_tuple(x, y)), hit);
    }

    static std::size_t temporary_bytes(std::uint64_t samples) {
        std::size_t bytes = 0;
        CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, hits_of(nullptr, nullptr, {}),
                                          static_cast<bench::Count*>(nullptr), samples));
        return bytes;
    }

    std::uint64_t samples_;
    bench::DeviceBuffer<char> temporary_;
};

}  // namespace arrays
