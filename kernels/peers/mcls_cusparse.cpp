// Iterative solvers with the products of cuSPARSE, on the GPU.
#include <cuda_runtime_api.h>

#include <string>

#include "bench/workers/check.hpp"
#include "kernels/peers/cusparse_solvers.hpp"
#include "kernels/peers/report.hpp"
#include "kernels/peers/solution.hpp"

namespace {

void measure(const std::string& method, const std::string& system) {
    const mcls::System built = mcls::built_in(system);
    CUDA_CHECK(cudaFree(nullptr));  // starts CUDA: that is not part of the preparation
    peers::measure_solver({"cusparse_" + method + '_' + system, peers::cusparse_package(), method, system, "gpu"},
                          built,
                          [&](const peers::LinearSystem& stated) { return peers::cusparse_solver(method, stated); });
}

}  // namespace

int main(int count, char** arguments) {
    return peers::run("peer_mcls_cusparse",
                      [=] { measure(count > 1 ? arguments[1] : "", count > 2 ? arguments[2] : ""); });
}
