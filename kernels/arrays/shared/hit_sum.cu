#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cub/device/device_reduce.cuh>

#include "kernels/arrays/shared/hit.cuh"
#include "kernels/arrays/shared/hit_sum.hpp"

namespace arrays {
namespace {

/// Counts the hits of one sample, or of four that are loaded at once.
struct CountHits {
    rng::SobolPoint shift;

    __host__ __device__ bench::Count operator()(std::uint32_t x, std::uint32_t y) const {
        return is_hit(x ^ shift.x, y ^ shift.y) ? 1 : 0;
    }
    __host__ __device__ bench::Count operator()(const uint4& x, const uint4& y) const {
        return (*this)(x.x, y.x) + (*this)(x.y, y.y) + (*this)(x.z, y.z) + (*this)(x.w, y.w);
    }
    template <typename Item>
    __host__ __device__ bench::Count operator()(const thrust::tuple<Item, Item>& sample) const {
        return (*this)(thrust::get<0>(sample), thrust::get<1>(sample));
    }
};

/// Reads items of X and Y and gives their hits: no flag is stored.
template <typename Item>
auto hits_of(const Words& words, rng::SobolPoint shift) {
    const auto *x = reinterpret_cast<const Item*>(words.x), *y = reinterpret_cast<const Item*>(words.y);
    return thrust::make_transform_iterator(thrust::make_zip_iterator(thrust::make_tuple(x, y)), CountHits{shift});
}

/// CUB's sum over all items; without memory, only sets `bytes` to what it needs.
template <typename Item>
cudaError_t sum(void* memory, std::size_t& bytes, const Words& words, bench::Count* hits, cudaStream_t stream,
                rng::SobolPoint shift) {
    const std::uint64_t items = words.samples / (sizeof(Item) / word_bytes);
    return cub::DeviceReduce::Sum(memory, bytes, hits_of<Item>(words, shift), hits, items, stream);
}

template <typename Item>
std::size_t bytes_for(std::uint64_t samples) {
    std::size_t bytes = 0;
    CUDA_CHECK(sum<Item>(nullptr, bytes, {nullptr, nullptr, samples}, nullptr, nullptr, {0, 0}));
    return bytes;
}

/// Whether X and Y are whole items of 16 bytes, in their places.
bool can_load_four(const Words& words) {
    const auto is_aligned = [](const std::uint32_t* p) {
        return reinterpret_cast<std::uintptr_t>(p) % sizeof(uint4) == 0;
    };
    return words.samples % 4 == 0 && is_aligned(words.x) && is_aligned(words.y);
}

}  // namespace

HitSum::HitSum(std::uint64_t most_samples)
    : partial_sums_(std::max(bytes_for<std::uint32_t>(most_samples), bytes_for<uint4>(most_samples))) {}

cudaError_t HitSum::enqueue(const Words& words, bench::Count* hits, cudaStream_t stream, rng::SobolPoint shift) const {
    std::size_t bytes = partial_sums_.size();
    const auto sum_of_items = can_load_four(words) ? sum<uint4> : sum<std::uint32_t>;
    return sum_of_items(partial_sums_.data(), bytes, words, hits, stream, shift);
}

std::unique_ptr<bench::Equipment> equip_hit_sum(const bench::Launch& l) {
    return std::make_unique<HitSum>(samples_of(l));
}

cudaError_t sum_hits(const bench::Launch& l) {
    return static_cast<const HitSum*>(l.equipment)->enqueue(words_on_gpu(l), l.counts, l.stream);
}

}  // namespace arrays
