// Test and sum in one pass, by CUB: introduced by a5.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/step.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/arrays/shared/arrays.hpp"
#include "kernels/random/sobol.cuh"

namespace arrays {

/// CUB's reduction, with the memory that it needs for partial sums.
class HitSum : public bench::Equipment {
 public:
    /// For up to `most_samples` samples at a time.
    explicit HitSum(std::uint64_t most_samples);

    /// Enqueues the sum of the hits of `words`, which are on the GPU, into `*hits`. A random shift of a point set is an
    /// XOR of every x and `shift.x`, of every y and `shift.y`. Loads 16 bytes at a time where the words allow it.
    cudaError_t enqueue(const Words& words, bench::Count* hits, cudaStream_t stream,
                        rng::SobolPoint shift = {0, 0}) const;

 private:
    bench::DeviceBuffer<unsigned char> partial_sums_;
};

/// Step::equip of a step that sums the hits of a launch.
std::unique_ptr<bench::Equipment> equip_hit_sum(const bench::Launch& l);

/// The phase that sums them into the count of the launch.
cudaError_t sum_hits(const bench::Launch& l);

}  // namespace arrays
