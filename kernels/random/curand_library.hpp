// cuRAND's host interface, loaded at run time: only the steps that use it need the library.
#pragma once

#include <curand.h>

namespace rng {

/// The functions that the steps use, as curand.h declares them.
struct CurandLibrary {
    decltype(&curandCreateGenerator) create;
    decltype(&curandCreateGeneratorHost) create_on_host;
    decltype(&curandDestroyGenerator) destroy;
    decltype(&curandSetStream) set_stream;
    decltype(&curandSetGeneratorOrdering) set_ordering;
    decltype(&curandSetQuasiRandomGeneratorDimensions) set_dimensions;
    decltype(&curandSetPseudoRandomGeneratorSeed) set_seed;
    decltype(&curandSetGeneratorOffset) set_offset;
    decltype(&curandGenerateSeeds) generate_seeds;
    decltype(&curandGenerate) generate;
    decltype(&curandGenerateNormal) generate_normal;
    decltype(&curandGetDirectionVectors32) get_direction_vectors;
};

/// Loads a shared library that has them, and never unloads it. Throws NoGpuError if there is none that can be used.
CurandLibrary load_curand(const char* file);

/// The library of the toolkit that the suite was built with, loaded by the first call. Throws likewise.
const CurandLibrary& curand_library();

/// Throws CudaError, which names `call`, unless the status is success.
void check_curand(curandStatus_t status, const char* call);

}  // namespace rng
