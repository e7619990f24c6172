// The lanes of bit planes.
#pragma once

#include <cuda_runtime.h>

#include "bench/step.hpp"

namespace rng {

/// The words of one lane of a bit-sliced generator. A word holds `bits` successive bits of the lane, the first one
/// highest, then zeros. Stream t is lane t % 32 of thread t / 32.
template <typename Planes, unsigned bits>
class LaneDraws {
 public:
    __host__ __device__ explicit LaneDraws(const bench::StreamId& id)
        : planes_({id.seed, id.launch, id.threads / 32, id.thread / 32}), lane_(id.thread % 32) {}
    __host__ __device__ unsigned operator()() {
        unsigned word = 0;
        for (unsigned i = 0; i < bits; i++) {
            word = word << 1 | (planes_() >> lane_ & 1);
        }
        return word << (32 - bits);
    }

 private:
    Planes planes_;
    unsigned lane_;
};

}  // namespace rng
