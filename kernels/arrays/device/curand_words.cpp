#include "kernels/arrays/device/curand_words.hpp"

#include <fmt/format.h>

#include "bench/cli/errors.hpp"
#include "kernels/arrays/device/curand_library.hpp"
#include "kernels/random/stream_seed.cuh"

namespace arrays {
namespace {

const char* reason(curandStatus_t status) {
    switch (status) {
        case CURAND_STATUS_VERSION_MISMATCH:
            return "header and library differ in version";
        case CURAND_STATUS_ALLOCATION_FAILED:
            return "out of memory";
        case CURAND_STATUS_TYPE_ERROR:
            return "not for this type of generator";
        case CURAND_STATUS_OUT_OF_RANGE:
            return "out of range";
        case CURAND_STATUS_LAUNCH_FAILURE:
            return "a kernel could not be launched";
        case CURAND_STATUS_PREEXISTING_FAILURE:
            return "an earlier CUDA call failed";
        case CURAND_STATUS_INITIALIZATION_FAILED:
            return "CUDA could not be initialised";
        case CURAND_STATUS_ARCH_MISMATCH:
            return "not supported by this GPU";
        default:
            return "see curandStatus in curand.h";
    }
}

void check(curandStatus_t status, const char* call) {
    if (status != CURAND_STATUS_SUCCESS) {
        throw bench::CudaError(fmt::format("{}: cuRAND status {}: {}", call, static_cast<int>(status), reason(status)));
    }
}

curandGenerator_t created(curandRngType_t type, CurandWords::Side side) {
    const CurandLibrary& library = curand_library();
    curandGenerator_t generator = nullptr;
    if (side == CurandWords::Side::gpu) {
        check(library.create(&generator, type), "curandCreateGenerator");
    } else {
        check(library.create_on_host(&generator, type), "curandCreateGeneratorHost");
    }
    return generator;
}

void destroy(curandGenerator_t generator) { curand_library().destroy(generator); }

}  // namespace

CurandWords::CurandWords(const CurandKind& kind, Side side) : kind_(kind), side_(side), generator_(nullptr, destroy) {
    make_generator();
}

void CurandWords::make_generator() {
    generator_.reset(created(kind_.type, side_));
    check(curand_library().set_ordering(generator_.get(), kind_.order), "curandSetGeneratorOrdering");
    if (kind_.start == Start::at_zero) {
        check(curand_library().set_dimensions(generator_.get(), 2), "curandSetQuasiRandomGeneratorDimensions");
    }
    if (stream_) use(stream_);
}

void CurandWords::use(cudaStream_t stream) {
    stream_ = stream;
    check(curand_library().set_stream(generator_.get(), stream), "curandSetStream");
}

void CurandWords::begin(std::uint64_t seed, std::uint64_t launch, std::size_t words) {
    switch (kind_.start) {
        case Start::at_offset:
            return start(seed, launch * words);
        case Start::by_seed:
        case Start::anew:
            return start(pi::stream_seed(seed, launch, 0, 0), 0);
        case Start::at_zero:
            return start(seed, 0);
    }
}

void CurandWords::start(std::uint64_t seed, std::uint64_t first) {
    if (place_ && place_->seed == seed && place_->word == first) {
        return;
    }
    if (kind_.start == Start::anew && place_) make_generator();
    const CurandLibrary& library = curand_library();
    if (kind_.start != Start::at_zero) {
        check(library.set_seed(generator_.get(), seed), "curandSetPseudoRandomGeneratorSeed");
    }
    if (kind_.start == Start::at_offset || kind_.start == Start::at_zero) {
        check(library.set_offset(generator_.get(), first), "curandSetGeneratorOffset");
    }
    check(library.generate_seeds(generator_.get()), "curandGenerateSeeds");
    place_ = {seed, first};
}

void CurandWords::generate(std::uint32_t* words, std::size_t n) {
    check(curand_library().generate(generator_.get(), words, n), "curandGenerate");
    place_->word += n;
}

}  // namespace arrays
