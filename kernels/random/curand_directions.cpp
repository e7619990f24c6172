#include "kernels/random/curand_directions.hpp"

#include "kernels/random/curand_library.hpp"

namespace rng {

std::vector<std::uint32_t> curand_directions(unsigned dimensions) {
    curandDirectionVectors32_t* of_dimension = nullptr;
    check_curand(curand_library().get_direction_vectors(&of_dimension, CURAND_DIRECTION_VECTORS_32_JOEKUO6),
                 "curandGetDirectionVectors32");
    std::vector<std::uint32_t> numbers;
    for (unsigned k = 0; k < 32; k++) {
        for (unsigned d = 0; d < dimensions; d++) numbers.push_back(of_dimension[d][k]);
    }
    return numbers;
}

}  // namespace rng
