// checker_faults <memcheck|racecheck|initcheck|synccheck>: launches a kernel with the one fault that this checker looks for.
#include <cuda_runtime.h>

#include <string>

namespace {

constexpr int threads = 64;

__global__ void write_beyond(int* memory) { memory[threads + threadIdx.x] = 1; }

__global__ void read_without_barrier(int* memory) {
    __shared__ int cells[threads];
    cells[threadIdx.x] = memory[threadIdx.x];
    memory[threadIdx.x] = cells[threads - 1 - threadIdx.x];
}

__global__ void read_unwritten(int* memory) { memory[threadIdx.x] += 1; }

// Threads that ended count as arrived at a barrier of the block, so the fault is one of a warp: half of it waits without being named.
__global__ void wait_unnamed(int* memory) {
    __shared__ int cells[threads];
    cells[threadIdx.x] = memory[threadIdx.x];
    if (threadIdx.x % 2 == 1) __syncwarp(0x55555555);  // the even lanes
    memory[threadIdx.x] = cells[threadIdx.x ^ 1];
}

}  // namespace

int main(int argc, char** argv) {
    const std::string checker = argc == 2 ? argv[1] : "";
    const auto kernel = checker == "memcheck"    ? write_beyond
                        : checker == "racecheck" ? read_without_barrier
                        : checker == "initcheck" ? read_unwritten
                        : checker == "synccheck" ? wait_unnamed
                                                 : nullptr;
    int* memory = nullptr;
    if (!kernel || cudaMalloc(&memory, threads * sizeof(int)) != cudaSuccess) return 1;
    if (checker != "initcheck" && cudaMemset(memory, 0, threads * sizeof(int)) != cudaSuccess) return 1;
    kernel<<<1, threads>>>(memory);
    cudaDeviceSynchronize();  // only the checker's exit code counts
    return 0;
}
