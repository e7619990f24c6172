#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cub/device/device_reduce.cuh>

#include "kernels/arrays/device/hit.cuh"
#include "kernels/arrays/device/hit_sum.hpp"

namespace arrays {
namespace {

using Sample = thrust::tuple<std::uint32_t, std::uint32_t>;

struct CountHit {
    __host__ __device__ bench::Count operator()(const Sample& sample) const {
        return is_hit(thrust::get<0>(sample), thrust::get<1>(sample)) ? 1 : 0;
    }
};

struct CountShiftedHit {
    pi::SobolPoint shift;
    __host__ __device__ bench::Count operator()(const Sample& sample) const {
        return is_hit(thrust::get<0>(sample) ^ shift.x, thrust::get<1>(sample) ^ shift.y) ? 1 : 0;
    }
};

/// Reads x and y of a sample, and gives 1 for a hit: no flag is stored.
template <typename Count>
auto hits_of(const Words& words, Count count) {
    const std::uint32_t *x = words.x, *y = words.y;
    return thrust::make_transform_iterator(thrust::make_zip_iterator(thrust::make_tuple(x, y)), count);
}

template <typename Count>
std::size_t bytes_for(std::uint64_t samples, Count count) {
    std::size_t bytes = 0;
    bench::Count* hits = nullptr;
    CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, hits_of(Words{nullptr, nullptr, 0}, count), hits, samples));
    return bytes;
}

}  // namespace

HitSum::HitSum(std::uint64_t most_samples)
    : partial_sums_(std::max(bytes_for(most_samples, CountHit{}), bytes_for(most_samples, CountShiftedHit{}))) {}

cudaError_t HitSum::enqueue(const Words& words, bench::Count* hits, cudaStream_t stream) const {
    std::size_t bytes = partial_sums_.size();
    return cub::DeviceReduce::Sum(partial_sums_.data(), bytes, hits_of(words, CountHit{}), hits, words.samples, stream);
}

cudaError_t HitSum::enqueue(const Words& words, bench::Count* hits, cudaStream_t stream, pi::SobolPoint shift) const {
    std::size_t bytes = partial_sums_.size();
    return cub::DeviceReduce::Sum(partial_sums_.data(), bytes, hits_of(words, CountShiftedHit{shift}), hits,
                                  words.samples, stream);
}

std::unique_ptr<bench::Equipment> equip_hit_sum(const bench::Launch& l) {
    return std::make_unique<HitSum>(samples_of(l));
}

cudaError_t sum_hits(const bench::Launch& l) {
    return static_cast<const HitSum*>(l.equipment)->enqueue(words_on_gpu(l), l.counts, l.stream);
}

}  // namespace arrays
