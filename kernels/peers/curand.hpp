// What the peers with cuRAND's host API share.
#pragma once

#include <curand.h>

#include <string>

#include "bench/errors.hpp"
#include "bench/workers/check.hpp"

namespace peers {

inline void check(curandStatus_t status, const char* what) {
    if (status != CURAND_STATUS_SUCCESS) {
        throw bench::CudaError(std::string(what) + " failed: cuRAND status " + std::to_string(status));
    }
}

/// A generator of the host API.
class Generator {
 public:
    explicit Generator(curandRngType_t type) {
        check(curandCreateGenerator(&generator_, type), "curandCreateGenerator");
    }
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;
    ~Generator() { curandDestroyGenerator(generator_); }

    curandGenerator_t get() const { return generator_; }

 private:
    curandGenerator_t generator_ = nullptr;
};

/// Name and version of the library.
inline std::string curand_package() {
    int version = 0;
    check(curandGetVersion(&version), "curandGetVersion");
    return "cuRAND " + std::to_string(version / 1000) + '.' + std::to_string(version / 100 % 10) + '.' +
           std::to_string(version % 100);
}

}  // namespace peers
