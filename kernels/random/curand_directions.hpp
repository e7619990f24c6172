// The direction numbers of Sobol's sequence in many dimensions.
#pragma once

#include <cstdint>
#include <vector>

namespace rng {

/// Direction numbers of dimensions 0 to `dimensions` - 1, at most 20,000: those of Joe and Kuo (2008) that cuRAND's library
/// holds. Number k of dimension d is at [k * dimensions + d], k = 0 to 31. A point of the set is the XOR of the
/// numbers k over the bits k of its code. Throws NoGpuError without a usable library, CudaError if cuRAND refuses.
std::vector<std::uint32_t> curand_directions(unsigned dimensions);

}  // namespace rng
