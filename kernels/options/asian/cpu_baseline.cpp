// The CPU baseline: serial with one thread, OpenMP with more
// Change: none. The chapter's generator for the CPU, MT19937 and a ziggurat. 64 paths go side by side in vectors, as
//         logarithms, with one exponential a step, as in a5.
// Why:    a CPU with all its cores and vector units at work, to compare the GPU with. Predicted: 0.1 path-steps/ns for a
//         core, from 0.009 of a plain loop.
// Cost:   two normals and one exponential of 20 instructions per path-step.
// Limit:  the normals.
#include <algorithm>
#include <array>

#include "kernels/cpu/clones.hpp"
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/options/asian/shared/paths.cuh"
#include "kernels/options/shared/host_exp.hpp"
#include "kernels/options/shared/host_replay.hpp"
#include "kernels/options/shared/host_streams.hpp"

namespace asian::cpu {
namespace {

using options::lanes;

constexpr unsigned steps = 256;
constexpr Model option = model(steps);

/// The paths of a batch: prices are in units of the first one.
struct Paths {
    std::array<float, lanes> log_a = {}, log_b = {}, sum = {}, last = {};
};

/// The normals of a step: z_a of every path, then z_b.
using StepNormals = std::array<float, 2 * lanes>;

FUNCTION_CLONES void move(Paths& paths, const StepNormals& z) {
    constexpr float mu_a = option.mu_a, mu_b = option.mu_b, s_aa = option.s_aa, s_ab = option.s_ab, s_bb = option.s_bb;
    for (unsigned i = 0; i < lanes; i++) {
        paths.log_a[i] += mu_a + s_aa * z[i];
        paths.log_b[i] += mu_b + s_ab * z[i] + s_bb * z[lanes + i];
        const float higher = paths.log_a[i] > paths.log_b[i] ? paths.log_a[i] : paths.log_b[i];
        paths.last[i] = options::host_exp(higher);
        paths.sum[i] += paths.last[i];
    }
}

Sums price_paths(rng::ZigguratNormals& normals, unsigned iters) {
    Sums sums;
    for (unsigned done = 0; done < iters; done += lanes) {
        Paths paths;
        for (unsigned t = 0; t < steps; t++) {
            StepNormals z;
            normals.fill(z);
            move(paths, z);
        }
        for (unsigned i = 0; i < std::min(lanes, iters - done); i++) {
            const float hidden = 0 * (paths.log_a[i] + paths.log_b[i]);  // NaN if the maximum hid what is not finite
            add_path(&sums, excess_of<steps>(paths.sum[i], paths.last[i]) + hidden);
        }
    }
    return sums;
}

void price(const bench::Launch& l) { options::for_each_stream<Sums>(l, price_paths); }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_openmp",
    .title = "CPU",
    .technique = "OpenMP over streams, MT19937 and ziggurat, 64 paths side by side",
    .lesson = "The chapter's generator for the CPU, all cores and vector units.",
    .estimand = bench::means(price_of({.steps = steps,
                                       .generator = options::host_generator,
                                       .soundness = bench::Soundness::not_tested,
                                       .normals = options::host_normals_of_lanes})),
    .default_iters = lanes,
    .loops_from = lanes,
    .counts = options::host_counts<Sums>,
    .phases = {{"price", bench::on_host<price>, bench::On::host}},
    .cpu = {.streams = options::host_streams,
            .isa = bench::isa_of_clones,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_serial",
            .serial_technique = "one core, MT19937 and ziggurat, 64 paths side by side"},
};

}  // namespace asian::cpu
