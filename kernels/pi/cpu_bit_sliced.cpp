// The bit-sliced CPU: serial with one thread, OpenMP with more
// Change: as v21, in vector registers. AVX-512 has v21's instructions: any function of three inputs (VPTERNLOGD), the dot
//         product of bytes (VPDPBUSD), the population count (VPOPCNTD) and the multiplication of 32-bit words (VPMULLD). A
//         plane is a word of each of 16 generators side by side, so a group is 512 samples. What a level leaves, all lanes of
//         a vector share. The networks are those of the GPU. AVX2 and SSE2 need several instructions where AVX-512 needs
//         one, and more registers for a plane.
// Why:    the other CPU program, cpu_baseline.cpp, is the twin of v6. A comparison of v21 with it compares two algorithms.
//         Predicted for AVX-512: 8 words of four operations, 7 lookups and 6 of counting for 512 samples, and 2 of the last
//         test. A multiplication takes two turns: 54 turns, two a cycle, at 3 GHz are 57 samples/ns on one core. The words
//         and levels of v18 take 70: 40 samples/ns. With AVX2 a vector is half as wide and needs twice as many operations:
//         14 samples/ns.
// Cost:   0.09 vector operations per sample with AVX-512.
// Limit:  the vector units, mostly for the words: a mix by a shift takes as many turns as one by a dot product here.
// Note:   the words are those of v21's threads with the same seed. Hits depend neither on the number of cores nor on the
//         instruction set. shared/cpu_levels.cpp has the loops, which are compiled for three instruction sets; the widest
//         that the machine has runs.
#include "kernels/pi/cpu_bit_sliced.hpp"

#include "bench/estimands/hits/source.hpp"
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/pi/shared/bit_sliced_replay.hpp"
#include "kernels/pi/shared/cut_cells.hpp"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/random/draws.cuh"

namespace pi::bit_sliced {

namespace {

using Draws = rng::AlternatingMrgDraws;

constexpr unsigned streams = 1024;  // some for every core of any machine

void count_hits(const bench::Launch& l) {
    const Clone& widest = clones().front();
#pragma omp parallel for num_threads(l.shape.threads) schedule(dynamic)
    for (unsigned stream = 0; stream < streams; stream++) l.counts[stream] = hits_of_stream(widest, l, stream);
}

std::size_t count_of_each_stream(bench::Shape) { return streams; }

const char* isa() { return clones().front().isa; }

const bench::Source source = {
    .name = "alternating_sliced_cpu",
    .generator = Draws::generator.name,
    .soundness = bench::Soundness::sound_in_bit_planes,
    .expected = folded_pairs,
    .log2_cycle_samples = Draws::generator.log2_cycle - 1,
    .bit_planes = true,
    .lagged = true,
    .replay = replay_bit_sliced<Draws, deep_octant, generators>,
};

}  // namespace

unsigned hits_of_stream(const Clone& clone, const bench::Launch& launch, unsigned stream) {
    State state;
    seed<Draws>(state, {launch.seed, launch.index, generators * streams, generators * stream});
    return clone.made.shared(state, launch.iters);
}

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_bit_sliced",
    .title = "CPU, bit-sliced",
    .technique = "v21 in vector registers, OpenMP over streams",
    .lesson = "Give both sides the same algorithm before you compare a GPU with a CPU.",
    .estimand = bench::hits({.source = source}),
    .default_iters = 4'000'000,
    .loops_from = samples_for(10, Draws::round * 32 * generators),
    .counts = count_of_each_stream,
    .phases = {{"sample", bench::on_host<count_hits>, bench::On::host}},
    .cpu = {.streams = streams,
            .isa = isa,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_bit_sliced_serial",
            .serial_technique = "v21 in vector registers, one core"},
};

}  // namespace pi::bit_sliced
