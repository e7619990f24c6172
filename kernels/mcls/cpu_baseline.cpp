// The CPU baseline: serial with one thread, OpenMP with more
// Change: none. v10's walk, bit for bit: alias rows, Philox by history, tallies of fixed point. A thread adds to tallies of its
//         own; those of all are added up at the end of a launch.
// Why:    a CPU with all its cores, to compare the GPU with. Predicted: 0.1 transitions/ns for a core on lap2d.
// Cost:   a quarter of a Philox block of 10 rounds, a slot, a factor and a tally per transition.
// Limit:  the latency of a transition: each needs the state that the one before reached. Eight histories side by side were
//         faster where the table exceeds a core's cache, and slower where it fits.
#include <algorithm>
#include <vector>

#include "bench/step.hpp"
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/mcls/problem/options.hpp"

namespace mcls::cpu {
namespace {

constexpr unsigned chunk = 16;  // histories that a thread takes at once: their lengths differ

/// Tallies are added modulo 2^64, so they are unsigned.
struct Sums {
    std::uint64_t transitions = 0, histories = 0;
    std::vector<std::uint64_t> tallies;
};

void walk(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    const auto method = on_host<Adjoint<AliasRows>>(walks);
    const PhiloxKeys keys = keys_of(l.seed);
    std::fill_n(l.counts, first_tally + walks.n, 0);
#pragma omp parallel num_threads(l.shape.threads)
    {
        Sums sums{.tallies = std::vector<std::uint64_t>(walks.n)};
#pragma omp for schedule(dynamic, chunk) nowait
        for (std::uint64_t history = 0; history < walks.histories; history++) {
            sums.histories++;
            sums.transitions += method(keys, {static_cast<std::uint32_t>(l.index), history},
                                       [&](std::uint32_t entry, std::int64_t amount) {
                                           sums.tallies[entry] += static_cast<std::uint64_t>(amount);
                                       });
        }
#pragma omp critical
        {
            l.counts[transitions_count] += sums.transitions;
            l.counts[histories_count] += sums.histories;
            for (std::uint32_t entry = 0; entry < walks.n; entry++) {
                l.counts[first_tally + entry] += sums.tallies[entry];
            }
        }
    }
}

constexpr Design design =
    design_of<Adjoint<AliasRows>>({.generator = "Philox4x32-10, words by launch, history and transition",
                                   .soundness = bench::Soundness::sound,
                                   .histories = 10'000});

const char* isa() { return "the compiler's default"; }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_openmp",
    .title = "CPU",
    .technique = "OpenMP over histories, alias rows",
    .lesson = "The histories of v10, bit for bit, on all cores.",
    .estimand = estimand_of(design),
    .default_iters = 1,
    .loops_from = 32,
    .phases = {{"walk", bench::on_host<walk>, bench::On::host}},
    .cpu = {.streams = 4096,
            .isa = isa,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_serial",
            .serial_technique = "one core, alias rows"},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::cpu
