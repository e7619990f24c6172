// The CPU, one bit at a time: serial with one thread, OpenMP with more
// Change: v27's words and tree in vector registers, 32 lanes for those of a warp: two registers of AVX-512. A team of lanes has
//         samples as a warp has. Its population counts are VPOPCNTD, and full adders are VPTERNLOGD.
// Why:    cpu_bit_sliced.cpp is the twin of v21, and v27 is compared with its own twin. The code is that of v27's replay. Predicted
//         for AVX-512: a word takes a multiplication of two turns, a shift, two additions, a lookup, and half of a count and its
//         addition, so 7 turns for 512 bits and 3.26 bits a sample. Two turns a cycle at 3 GHz are 135 samples/ns on one core.
// Cost:   0.045 vector operations per sample with AVX-512.
// Limit:  the vector units, for the words (predicted).
// Note:   the words are those of v27's threads with the same seed. Hits depend neither on the number of cores nor on the
//         instruction set. A team has many samples, as the nodes of the later layers have few of them.
#include "bench/estimands/hits/source.hpp"
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/halving_replay.hpp"
#include "kernels/random/draws.cuh"

namespace pi::halving {

namespace {

using Draws = rng::ShiftedMrgDraws;

constexpr unsigned teams = 256;  // some for every core of most machines

void count_hits(const bench::Launch& l) {
    const HitsOfWarp hits_of = clones().front().made.shifted;
#pragma omp parallel for num_threads(l.shape.threads) schedule(dynamic)
    for (unsigned team = 0; team < teams; team++) {
        l.counts[team] = hits_of_team<Draws>(hits_of, {l.seed, l.index, teams, team}, l.iters);
    }
}

std::size_t count_of_each_team(bench::Shape) { return teams; }

const char* isa() { return clones().front().isa; }

const bench::Source source = {
    .name = "shifted_halving_cpu",
    .generator = Draws::generator.name,
    .soundness = bench::Soundness::sound_in_bit_planes,
    .expected = folded_octant_pairs,
    .log2_cycle_samples = Draws::generator.log2_cycle - 1,
    .bit_planes = true,
    .lagged = true,
    .replay = replay_team,
};

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_halving",
    .title = "CPU, one bit at a time",
    .technique = "v27 in vector registers, OpenMP over teams of lanes",
    .lesson = "A better algorithm gains on a CPU, too.",
    .estimand = bench::hits({.source = source}),
    .default_iters = 64'000'000,
    .loops_from = Warp::lanes * halving_loops_from,
    .counts = count_of_each_team,
    .phases = {{"sample", bench::on_host<count_hits>, bench::On::host}},
    .cpu = {.streams = teams,
            .isa = isa,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_halving_serial",
            .serial_technique = "v27 in vector registers, one core"},
};

}  // namespace pi::halving
