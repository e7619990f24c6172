#include "kernels/random/curand_words.hpp"

#include "bench/errors.hpp"
#include "kernels/random/curand_library.hpp"
#include "kernels/random/stream_seed.cuh"

namespace rng {
namespace {

curandGenerator_t created(curandRngType_t type, CurandWords::Side side) {
    const CurandLibrary& library = curand_library();
    curandGenerator_t generator = nullptr;
    if (side == CurandWords::Side::gpu) {
        check_curand(library.create(&generator, type), "curandCreateGenerator");
    } else {
        check_curand(library.create_on_host(&generator, type), "curandCreateGeneratorHost");
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
    check_curand(curand_library().set_ordering(generator_.get(), kind_.order), "curandSetGeneratorOrdering");
    if (kind_.start == Start::at_zero) {
        check_curand(curand_library().set_dimensions(generator_.get(), 2), "curandSetQuasiRandomGeneratorDimensions");
    }
    if (stream_) use(stream_);
}

void CurandWords::use(cudaStream_t stream) {
    stream_ = stream;
    check_curand(curand_library().set_stream(generator_.get(), stream), "curandSetStream");
}

void CurandWords::begin(std::uint64_t seed, std::uint64_t launch, std::size_t words) {
    switch (kind_.start) {
        case Start::at_offset:
            return start(seed, launch * words);
        case Start::by_seed:
        case Start::anew:
            return start(stream_seed(seed, launch, 0, 0), 0);
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
        check_curand(library.set_seed(generator_.get(), seed), "curandSetPseudoRandomGeneratorSeed");
    }
    if (kind_.start == Start::at_offset || kind_.start == Start::at_zero) {
        check_curand(library.set_offset(generator_.get(), first), "curandSetGeneratorOffset");
    }
    check_curand(library.generate_seeds(generator_.get()), "curandGenerateSeeds");
    place_ = {seed, first};
}

void CurandWords::generate(std::uint32_t* words, std::size_t n) {
    check_curand(curand_library().generate(generator_.get(), words, n), "curandGenerate");
    place_->word += n;
}

void CurandWords::generate_normals(float* normals, std::size_t n) {
    check_curand(curand_library().generate_normal(generator_.get(), normals, n, 0, 1), "curandGenerateNormal");
    place_->word += n;
}

}  // namespace rng
