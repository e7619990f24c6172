// The lookback option in the manner of NVIDIA's sample MonteCarloMultiGPU.
#include "kernels/options/lookback/shared/option.hpp"
#include "kernels/peers/nvidia_manner.cuh"

namespace {

constexpr unsigned steps = 8;

struct Payoff {
    __device__ float operator()(curandState* state) const {
        constexpr float drift = lookback::drift;
        float prices[steps], price = lookback::first_price, variance = lookback::first_variance;
        for (unsigned t = 0; t < steps; t++) {
            prices[t] = price;
            const float shock = curand_normal(state) * sqrtf(variance);
            price *= __expf(drift + shock);
            variance = lookback::next_variance(variance, shock * shock);
        }
        float payoff = 0;
        for (const float before : prices) payoff += fmaxf(before - price, 0.0f);
        return payoff;
    }
};

}  // namespace

int main() {
    constexpr unsigned paths_of_thread = 128;
    return peers::run("peer_lookback_nvidia",
                      [] { peers::measure_prices<Payoff>("lookback_nvidia", steps, paths_of_thread); });
}
