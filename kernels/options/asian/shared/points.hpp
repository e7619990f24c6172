// The direction numbers of the points that give paths, on the GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/step.hpp"

namespace asian {

struct WordPair;

/// Which coordinates a path takes first: those of the bridge's nodes in the order of its visits, or as they are.
enum class Order { bridge, steps };

/// Direction numbers of `steps` pairs of dimensions: pair p of number k at [2 * (k * steps + p)], in the order of a path.
/// Errors as rng::curand_directions.
std::vector<std::uint32_t> directions_in_order(unsigned steps, Order order);

/// Equipment: these numbers in device memory.
std::unique_ptr<bench::Equipment> equip_with_directions_of(unsigned steps, Order order, cudaStream_t stream);

/// Step::equip.
template <unsigned steps, Order order>
std::unique_ptr<bench::Equipment> equip_with_directions(const bench::Launch& l) {
    return equip_with_directions_of(steps, order, l.stream);
}

/// The numbers of a launch so equipped.
const WordPair* directions_of(const bench::Launch& l);

}  // namespace asian
