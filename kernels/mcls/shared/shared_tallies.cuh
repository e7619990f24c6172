// Tallies in shared memory, introduced by v11.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "kernels/mcls/shared/counts.cuh"

namespace mcls {

/// Tallies of `size` entries from `first` on in shared memory, the others in global memory. A GPU adds 32 bits in shared memory
/// without a loop, but not 64, so shared memory has the lower halves. Upper halves and carries go to global memory at once.
/// They are rare while amounts are below 2^28 or so, and halves start in the middle, so that sums of both signs stay there.
/// `Others` adds to global memory: Tallies, or where entries have other numbers there, what knows them.
template <class Others = Tallies>
class SharedTallies {
 public:
    /// All threads of the block call it. `low` is shared memory of `size` words.
    __device__ __forceinline__ SharedTallies(std::uint32_t* low, std::uint32_t first, std::uint32_t size, Others others)
        : low_(low), first_(first), size_(size), others_(others) {
        for (std::uint32_t i = threadIdx.x; i < size_; i += blockDim.x) low_[i] = zero;
        __syncthreads();
    }

    __device__ __forceinline__ void add(std::uint32_t entry, std::int64_t amount) const {
        if (entry - first_ < size_) {
            add_inside(entry - first_, amount);
        } else {
            others_.add(entry, amount);
        }
    }

    /// Adds to entry first + place, which is in shared memory.
    __device__ __forceinline__ void add_inside(std::uint32_t place, std::int64_t amount) const {
        const auto low = static_cast<std::uint32_t>(amount);
        const std::uint32_t before = atomicAdd(&low_[place], low);
        const auto high = static_cast<std::uint32_t>((static_cast<std::uint64_t>(amount) + before) >> 32);
        if (high != 0) others_.add(first_ + place, static_cast<std::int64_t>(std::uint64_t{high} << 32));
    }

    /// Adds the halves to the counts. All threads of the block call it.
    __device__ __forceinline__ void flush() const {
        __syncthreads();
        for (std::uint32_t i = threadIdx.x; i < size_; i += blockDim.x) {
            if (low_[i] != zero) others_.add(first_ + i, std::int64_t{low_[i]} - zero);
        }
    }

 private:
    static constexpr std::uint32_t zero = 0x80000000u;

    std::uint32_t* low_;
    std::uint32_t first_, size_;
    Others others_;
};

}  // namespace mcls
