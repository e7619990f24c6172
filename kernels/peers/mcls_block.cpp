// Conjugate gradients for a small system, in one thread block on the GPU.
#include <cuda_runtime_api.h>

#include <string>

#include "bench/workers/check.hpp"
#include "kernels/peers/block_solver.hpp"
#include "kernels/peers/report.hpp"
#include "kernels/peers/solution.hpp"

namespace {

std::string package() {
    int version = 0;
    CUDA_CHECK(cudaRuntimeGetVersion(&version));
    return "CUDA " + std::to_string(version / 1000) + '.' + std::to_string(version / 10 % 100);
}

void measure(const std::string& system) {
    const mcls::System built = mcls::built_in(system);
    CUDA_CHECK(cudaFree(nullptr));  // starts CUDA: that is not part of the preparation
    peers::measure_solver({"block_cg_" + system, package(), "cg", system, "gpu"}, built, peers::block_solver);
}

}  // namespace

int main(int count, char** arguments) {
    return peers::run("peer_mcls_block", [=] { measure(count > 1 ? arguments[1] : ""); });
}
