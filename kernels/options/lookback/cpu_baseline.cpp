// The CPU baseline: serial with one thread, OpenMP with more
// Change: none. The chapter's generator for the CPU, MT19937 and a ziggurat. 64 paths of 8 steps go side by side in
//         vectors.
// Why:    a CPU with all its cores and vector units at work, to compare the GPU with. In the chapter a step cost less here
//         than one of the Asian option, and on its GPU more. Predicted: 0.15 path-steps/ns for a core, from 0.01 of a plain
//         loop.
// Cost:   one normal, one root and one exponential of 20 instructions per path-step.
// Limit:  the normals.
#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/cpu/clones.hpp"
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/options/lookback/shared/sums.cuh"
#include "kernels/options/shared/host_exp.hpp"
#include "kernels/options/shared/host_replay.hpp"
#include "kernels/options/shared/host_streams.hpp"

namespace lookback::cpu {
namespace {

using options::lanes;

constexpr unsigned steps = 8;
using Payoffs = Sums<steps>;

/// What paths pay and gain: prices are in units of the first one.
struct Ends {
    std::array<float, lanes> payoff, log_return;
};

using Normals = float[steps][lanes];

FUNCTION_CLONES Ends walk(const Normals& z) {
    float price[steps + 1][lanes], variance[lanes], log_return[lanes] = {}, payoff[lanes] = {};
    std::fill_n(price[0], lanes, 1.0f);
    std::fill_n(variance, lanes, static_cast<float>(first_variance));
    for (unsigned t = 0; t < steps; t++) {
        const auto drifts = static_cast<float>((t + 1) * drift);
        for (unsigned i = 0; i < lanes; i++) {
            const float shock = z[t][i] * std::sqrt(variance[i]);
            log_return[i] += shock;
            price[t + 1][i] = options::host_exp(drifts + log_return[i]);
            variance[i] = next_variance(variance[i], shock * shock);
        }
    }
    for (unsigned t = 0; t < steps; t++) {
        for (unsigned i = 0; i < lanes; i++) payoff[i] += std::max(price[t][i] - price[steps][i], 0.0f);
    }
    Ends ends;
    std::copy_n(payoff, lanes, ends.payoff.begin());
    std::copy_n(log_return, lanes, ends.log_return.begin());
    return ends;
}

Payoffs price_paths(rng::ZigguratNormals& normals, unsigned iters) {
    Payoffs sums;
    for (unsigned done = 0; done < iters; done += lanes) {
        Normals z;
        for (auto& of_step : z) normals.fill(of_step);
        const Ends ends = walk(z);
        for (unsigned i = 0; i < std::min(lanes, iters - done); i++) {
            sums.add(static_cast<float>(first_price) * ends.payoff[i], ends.log_return[i]);
        }
    }
    return sums;
}

void price(const bench::Launch& l) { options::for_each_stream<Payoffs>(l, price_paths); }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_openmp",
    .title = "CPU",
    .technique = "OpenMP over streams, MT19937 and ziggurat, 64 paths side by side",
    .lesson = "The chapter's generator for the CPU, all cores and vector units.",
    .estimand = bench::means(facts_of({.steps = steps,
                                       .generator = options::host_generator,
                                       .soundness = bench::Soundness::not_tested,
                                       .normals = options::host_normals_of_lanes})),
    .default_iters = 64 * lanes,
    .loops_from = lanes,
    .counts = options::host_counts<Payoffs>,
    .phases = {{"price", bench::on_host<price>, bench::On::host}},
    .cpu = {.streams = options::host_streams,
            .isa = bench::isa_of_clones,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_serial",
            .serial_technique = "one core, MT19937 and ziggurat, 64 paths side by side"},
};

}  // namespace lookback::cpu
