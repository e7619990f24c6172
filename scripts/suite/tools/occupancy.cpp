// How many blocks of a kernel a multiprocessor holds, by NVIDIA's occupancy calculator, which needs no GPU.
// Arguments: nine numbers for each case, as they are read below. Prints a line for each case.
#include <cuda_occupancy.h>

#include <climits>
#include <cstdio>
#include <cstdlib>

int main(int, char** argv) {
    for (argv++; *argv;) {
        const auto next = [&argv] { return *argv ? std::atoi(*argv++) : 0; };
        cudaOccDeviceProp device;
        device.computeMajor = next();
        device.computeMinor = next();
        device.maxThreadsPerMultiprocessor = 32 * next();
        device.sharedMemPerMultiprocessor = next();
        device.sharedMemPerBlockOptin = next();
        device.reservedSharedMemPerBlock = device.sharedMemPerMultiprocessor - device.sharedMemPerBlockOptin;
        device.sharedMemPerBlock = 48 * 1024;
        device.maxThreadsPerBlock = 1024;
        device.regsPerBlock = device.regsPerMultiprocessor = 64 * 1024;
        device.warpSize = 32;
        device.numSms = 1;

        cudaOccFuncAttributes kernel;
        kernel.maxThreadsPerBlock = INT_MAX;
        kernel.numRegs = next();
        kernel.sharedSizeBytes = next();
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = device.sharedMemPerBlockOptin - kernel.sharedSizeBytes;
        kernel.numBlockBarriers = 1;

        const int threads = next(), dynamic_bytes = next();
        const cudaOccDeviceState state;
        cudaOccResult found;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &device, &kernel, &state, threads, dynamic_bytes) !=
            CUDA_OCC_SUCCESS)
            return 1;
        std::printf("%d\n", found.activeBlocksPerMultiprocessor);
    }
}
