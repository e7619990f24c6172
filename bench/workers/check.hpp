// Every CUDA call is checked.
#pragma once

#include <cuda_runtime_api.h>

namespace bench {

/// Throws CudaError, or NoGpuError if there is no usable GPU, with place and cause. Does nothing for cudaSuccess.
void check_cuda(cudaError_t status, const char* expression, const char* file, int line);

/// The same for the calls with which a program begins to use a GPU: if one fails, there is no usable GPU.
void check_start(cudaError_t status);

}  // namespace bench

/// Evaluates a call that returns cudaError_t and throws if it failed.
#define CUDA_CHECK(call) ::bench::check_cuda((call), #call, __FILE__, __LINE__)
