// The CPU in vectors: serial with one thread, OpenMP with more
// Change: as a5, in vector registers. A CPU has no special function unit: the logarithm and the exponential are polynomials,
//         and the root is made of a reciprocal root of 14 bits. A path is one group of 256 steps, with its drifts in a table.
// Why:    the other CPU program, cpu_baseline.cpp, has the chapter's generator. A comparison of a5 with it compares two
//         algorithms. Predicted for AVX-512: 49 vector operations for 16 path-steps, two a cycle at 3 GHz: 1.9 path-steps/ns
//         on one core.
// Cost:   3.1 vector operations per path-step with AVX-512.
// Limit:  the vector units.
// Note:   the words are those of a5's threads with the same seed. Sums do not depend on the number of cores; the last bits of
//         floats depend on the instruction set. shared/vector_paths.cpp has the loop, which is compiled for three of them; the
//         widest that the machine has runs.
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/options/asian/shared/normals.hpp"
#include "kernels/options/asian/shared/option.hpp"
#include "kernels/options/shared/cpu_clones.hpp"

namespace asian {

DECLARE_CLONES(options::StreamLoop, loop)

namespace vectors {

const std::vector<options::Clone>& clones() {
    static const std::vector<options::Clone> of_this_machine = CLONES(loop, x86_64_v4);
    return of_this_machine;
}

namespace {

void price(const bench::Launch& l) { options::run_streams(l, clones().front().made); }

const char* isa() { return clones().front().isa; }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_vectors",
    .title = "CPU, vectors",
    .technique = "a5 in vector registers, OpenMP over streams",
    .lesson = "Give both sides the same algorithm before you compare a GPU with a CPU.",
    .estimand = bench::means(price_of({.generator = rng::MrgDraws::generator.name,
                                       .soundness = bench::Soundness::sound_in_24_bits_but_parity,
                                       .normals = normals_of_mrg})),
    .default_iters = 64,
    .loops_from = loops_from,
    .counts = options::vector_counts,
    .phases = {{"price", bench::on_host<price>, bench::On::host}},
    .cpu = {.streams = options::generators,
            .isa = isa,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_vectors_serial",
            .serial_technique = "a5 in vector registers, one core"},
};

}  // namespace vectors
}  // namespace asian
