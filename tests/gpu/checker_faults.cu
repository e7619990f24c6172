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

__global__ void wait_in_half_a_warp(int* memory) {
    __shared__ int cells[threads];
    cells[threadIdx.x] = memory[threadIdx.x];
    if (threadIdx.x < threads - 16) {
        __syncthreads();
        memory[threadIdx.x] = cells[0];
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string checker = argc == 2 ? argv[1] : "";
    const auto kernel = checker == "memcheck"    ? write_beyond
                        : checker == "racecheck" ? read_without_barrier
                        : checker == "initcheck" ? read_unwritten
                        : checker == "synccheck" ? wait_in_half_a_warp
                                                 : nullptr;
    int* memory = nullptr;
    if (!kernel || cudaMalloc(&memory, threads * sizeof(int)) != cudaSuccess) return 1;
    if (checker != "initcheck" && cudaMemset(memory, 0, threads * sizeof(int)) != cudaSuccess) return 1;
    kernel<<<1, threads>>>(memory);
    cudaDeviceSynchronize();  // only the checker's exit code counts
    return 0;
}
