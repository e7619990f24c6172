#include "bench/workers/check.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <optional>
#include <string_view>

#include "bench/errors.hpp"

namespace bench {
namespace {

constexpr std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

constexpr const char* no_code =
    "this program holds no code for it (is CUDA_FORCE_PTX_JIT set?); configure again on this machine, or with "
    "-DCMAKE_CUDA_ARCHITECTURES=<its compute capability, without the dot>";

/// Why no GPU can be used, and what helps.
constexpr struct {
    cudaError_t status;
    const char* cause;
    bool also_later = true;  // whether it is the cause where a program already uses a GPU
} causes[] = {
    {cudaErrorInsufficientDriver,
     "no NVIDIA driver, or one too old for this CUDA runtime; install a newer one; pi_cpu and its like need none"},
    {cudaErrorCallRequiresNewerDriver, "the driver is too old for what this program asks of it; install a newer one"},
    {cudaErrorNoDevice, "the driver sees none (is one hidden by CUDA_VISIBLE_DEVICES?); pi_cpu and its like need none"},
    {cudaErrorStubLibrary, "CUDA's stub stands in for the driver; take the folder 'stubs' out of LD_LIBRARY_PATH"},
    {cudaErrorDevicesUnavailable,
     "it is busy: another process has it for itself; wait for that, or run nvidia-smi --compute-mode=DEFAULT"},
    {cudaErrorSystemNotReady,
     "what connects the GPUs does not run; start it, for example: systemctl start nvidia-fabricmanager"},
    {cudaErrorSystemDriverMismatch,
     "the driver was updated while it runs, so that its parts do not fit; restart the machine, or the container"},
    {cudaErrorCompatNotSupportedOnDevice,
     "CUDA's compatibility library does not support it; take the folder 'compat' out of LD_LIBRARY_PATH"},
    {cudaErrorNoKernelImageForDevice, no_code},
    {cudaErrorInvalidDeviceFunction, no_code},
    {cudaErrorUnsupportedPtxVersion, no_code},
    {cudaErrorInitializationError,
     "the driver could not open it; look for /dev/nvidia*, in a container too, and whether you may use them", false},
    {cudaErrorUnknown,
     "the driver failed, as it does without /dev/nvidia-uvm or after a suspend; load the module nvidia_uvm anew",
     false},
    {cudaErrorNotSupported,
     "the driver offers no CUDA on it, as on a virtual GPU without a licence; look at nvidia-smi -q", false},
};

std::optional<NoGpuError> no_gpu(cudaError_t status, bool at_start) {
    for (const auto& [of, cause, also_later] : causes) {
        if (of != status || !(also_later || at_start)) continue;
        return NoGpuError(fmt::format("no usable GPU: {} ({})", cause, cudaGetErrorName(status)));
    }
    return std::nullopt;
}

bool is_memory_limited() {
    rlimit addresses = {};
    return getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
}

}  // namespace

void check_cuda(cudaError_t status, const char* expression, const char* file, int line) {
    if (status == cudaSuccess) return;
    if (const auto error = no_gpu(status, false)) throw *error;
    throw CudaError(fmt::format("{}:{}: {}: {} ({}): {}", file_name(file), line, expression, cudaGetErrorName(status),
                                static_cast<int>(status), cudaGetErrorString(status)));
}

void check_start(cudaError_t status) {
    if (status == cudaSuccess) return;
    if (is_memory_limited()) {
        throw NoGpuError("no usable GPU: memory is limited (ulimit -v), and CUDA reserves more than it uses");
    }
    if (const auto error = no_gpu(status, true)) throw *error;
    throw NoGpuError(fmt::format("no usable GPU: {} ({})", cudaGetErrorString(status), cudaGetErrorName(status)));
}

}  // namespace bench
