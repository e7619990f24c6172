// What becomes of the normals of a thread: they are summed in registers, and written to memory with --store.
#pragma once

#include <cuda_runtime.h>

#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/shared/published_sums.cuh"
#include "kernels/random/normals/box_muller.cuh"
#include "kernels/random/thread_id.cuh"

namespace normals {

/// Normals stay in registers.
struct InRegisters {
    static constexpr std::size_t bytes = 0;
    __device__ explicit InRegisters(void*) {}
    __device__ __forceinline__ void operator()(rng::NormalPair) {}
};

/// Every normal is written to the ring. Neighbouring threads write neighbouring pairs.
class InMemory {
 public:
    static constexpr std::size_t bytes = ring_bytes;
    __device__ explicit InMemory(void* ring)
        : ring_(static_cast<float2*>(ring)),
          slot_(static_cast<unsigned>(rng::grid_thread() % ring_pairs)),
          stride_(static_cast<unsigned>(rng::grid_threads() % ring_pairs)) {}

    __device__ __forceinline__ void operator()(rng::NormalPair z) {
        ring_[slot_] = {z.sine, z.cosine};
        slot_ = (slot_ + stride_) % ring_pairs;
    }

 private:
    float2* ring_;
    unsigned slot_;
    unsigned stride_;
};

/// Sums of one thread's normals, in groups of normals_per_group.
template <typename Output>
class Consumer {
 public:
    __device__ explicit Consumer(void* memory) : output_(memory) {}

    __device__ __forceinline__ void operator()(rng::NormalPair z) {
        sum_ += z.sine;
        sum_ += z.cosine;
        squares_ = fmaf(z.sine, z.sine, squares_);
        squares_ = fmaf(z.cosine, z.cosine, squares_);
        output_(z);
    }

    __device__ __forceinline__ void end_group() {
        sums_.add(squares_, sum_);
        sum_ = squares_ = 0;
    }

    /// All threads of the block call it.
    __device__ __forceinline__ void publish(bench::Count* counts) const { options::publish(sums_, counts); }

 private:
    float sum_ = 0, squares_ = 0;
    options::PublishedSums<squares_bits, sum_bits> sums_;
    Output output_;
};

}  // namespace normals
