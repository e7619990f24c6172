#include "kernels/random/curand_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "bench/errors.hpp"

namespace rng {
namespace {

/// The reason why the latest call of dlopen or dlsym failed; it names the file.
[[noreturn]] void refuse(const char* file) {
    throw bench::NoGpuError(
        fmt::format("no usable cuRAND: {}; {} is looked for in LD_LIBRARY_PATH, {} and the system's library folders",
                    dlerror(), file, CURAND_FOLDER));
}

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

class Loader {
 public:
    explicit Loader(const char* file) : file_(file), handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) refuse(file_);
    }

    template <typename Function>
    void load(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(dlsym(handle_, name));
        if (!function) refuse(file_);
    }

 private:
    const char* file_;
    void* handle_;
};

}  // namespace

CurandLibrary load_curand(const char* file) {
    const Loader loader(file);
    CurandLibrary library = {};
    loader.load(library.create, "curandCreateGenerator");
    loader.load(library.create_on_host, "curandCreateGeneratorHost");
    loader.load(library.destroy, "curandDestroyGenerator");
    loader.load(library.set_stream, "curandSetStream");
    loader.load(library.set_ordering, "curandSetGeneratorOrdering");
    loader.load(library.set_dimensions, "curandSetQuasiRandomGeneratorDimensions");
    loader.load(library.set_seed, "curandSetPseudoRandomGeneratorSeed");
    loader.load(library.set_offset, "curandSetGeneratorOffset");
    loader.load(library.generate_seeds, "curandGenerateSeeds");
    loader.load(library.generate, "curandGenerate");
    loader.load(library.generate_normal, "curandGenerateNormal");
    loader.load(library.get_direction_vectors, "curandGetDirectionVectors32");
    return library;
}

const CurandLibrary& curand_library() {
    static const CurandLibrary library = load_curand(fmt::format("libcurand.so.{}", CURAND_VER_MAJOR).c_str());
    return library;
}

void check_curand(curandStatus_t status, const char* call) {
    if (status != CURAND_STATUS_SUCCESS) {
        throw bench::CudaError(fmt::format("{}: cuRAND status {}: {}", call, static_cast<int>(status), reason(status)));
    }
}

}  // namespace rng
