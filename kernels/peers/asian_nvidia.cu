// The Asian option in the manner of NVIDIA's sample MonteCarloMultiGPU.
#include "kernels/options/asian/shared/option.hpp"
#include "kernels/peers/nvidia_manner.cuh"

namespace {

constexpr asian::Model model = asian::model(256);

struct Payoff {
    __device__ float operator()(curandState* state) const {
        constexpr float mu_a = model.mu_a, mu_b = model.mu_b, s_aa = model.s_aa, s_ab = model.s_ab, s_bb = model.s_bb;
        float a = model.start, b = model.start, sum = 0;
        for (unsigned t = 0; t < model.steps; t++) {
            const float z_a = curand_normal(state), z_b = curand_normal(state);
            a *= __expf(mu_a + s_aa * z_a);
            b *= __expf(mu_b + s_ab * z_a + s_bb * z_b);
            sum += fmaxf(a, b);
        }
        return fmaxf(sum / model.steps - fmaxf(a, b), 0.0f);
    }
};

}  // namespace

int main() {
    constexpr unsigned paths_of_thread = 4;
    return peers::run("peer_asian_nvidia",
                      [] { peers::measure_prices<Payoff>("asian_nvidia", model.steps, paths_of_thread); });
}
