#include "bench/workers/check.hpp"

#include <fmt/format.h>

#include <string_view>

#include "bench/errors.hpp"

namespace bench {
namespace {

constexpr std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void check_cuda(cudaError_t status, const char* expression, const char* file, int line) {
    switch (status) {
        case cudaSuccess:
            return;
        case cudaErrorInsufficientDriver:
            throw NoGpuError(
                "no usable GPU: there is no NVIDIA driver, or one too old for this CUDA runtime; install a newer one");
        case cudaErrorNoDevice:
            throw NoGpuError("no usable GPU: the driver sees none (is one hidden by CUDA_VISIBLE_DEVICES?)");
        case cudaErrorStubLibrary:
        case cudaErrorDevicesUnavailable:
        case cudaErrorSystemNotReady:
        case cudaErrorSystemDriverMismatch:
        case cudaErrorCompatNotSupportedOnDevice:
            throw NoGpuError(fmt::format("no usable GPU: {} ({}); check the driver, or restart the machine",
                                         cudaGetErrorString(status), cudaGetErrorName(status)));
        case cudaErrorNoKernelImageForDevice:
        case cudaErrorInvalidDeviceFunction:
        case cudaErrorUnsupportedPtxVersion:
            throw NoGpuError(
                "no usable GPU: this program holds no code for it; configure again on this machine, or with "
                "-DCMAKE_CUDA_ARCHITECTURES=<its compute capability, without the dot>");
        default:
            throw CudaError(fmt::format("{}:{}: {}: {} ({}): {}", file_name(file), line, expression,
                                        cudaGetErrorName(status), static_cast<int>(status),
                                        cudaGetErrorString(status)));
    }
}

}  // namespace bench
