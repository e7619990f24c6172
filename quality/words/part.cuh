// What a launch of the battery reads.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bench/step.hpp"

namespace quality::words {

/// `stream`: a thread reads one stream. Otherwise it reads the first words of successive threads, launches or seeds as one
/// sequence.
enum class Order { stream, threads, launches, seeds };

/// A thread reads a test's words of a trip `trips` times.
struct Size {
    bench::Shape shape;
    unsigned trips;
};

struct Part {
    Size size;
    std::uint64_t seed;
    Order order;
    std::uint64_t launch;

    __host__ __device__ std::uint64_t threads() const { return std::uint64_t{size.shape.blocks} * size.shape.threads; }
};

}  // namespace quality::words
