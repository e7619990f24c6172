// The CPU in vectors: serial with one thread, OpenMP with more
// Change: as n9 with all pairs by polynomials (ablations/n09_polynomial.cu), in vector registers. A CPU has no special function
//         unit. So the logarithm is a polynomial too, and the root is made of a reciprocal root of 14 bits. Four registers are
//         worked on in turns: a normal takes a chain of 100 cycles, and the processor does not look ahead far enough to fill them.
// Why:    the other CPU program, cpu_baseline.cpp, has the chapter's generator. A comparison of n9 with it compares two
//         algorithms. Predicted for AVX-512: 42 vector operations for 32 normals, two a cycle at 3 GHz: 4.6 normals/ns on
//         one core.
// Cost:   1.3 vector operations per normal with AVX-512. Without it the divider makes the root, and exponents cost more.
// Limit:  the vector units.
// Note:   the words are those of n9's threads with the same seed. Sums do not depend on the number of cores; the last bits of
//         floats depend on the instruction set. shared/vector_normals.cpp has the loop, which is compiled for three of them; the
//         widest that the machine has runs.
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/options/shared/cpu_clones.hpp"

namespace normals {

DECLARE_CLONES(options::StreamLoop, loop)

namespace vectors {

const std::vector<options::Clone>& clones() {
    static const std::vector<options::Clone> of_this_machine = CLONES(loop, x86_64_v4);
    return of_this_machine;
}

namespace {

void sample(const bench::Launch& l) { options::run_streams(l, clones().front().made); }

const char* isa() { return clones().front().isa; }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_vectors",
    .title = "CPU, vectors",
    .technique = "n9's polynomials in vector registers, OpenMP over streams",
    .lesson = "Give both sides the same algorithm before you compare a GPU with a CPU.",
    .estimand = estimand(rng::MrgDraws::generator.name, bench::Soundness::sound_in_24_bits_but_parity, of_normal,
                         replay::of_polynomials),
    .default_iters = 2 * usual_groups,
    .loops_from = 129,  // LaneSums has 128 numbers in doubles
    .counts = options::vector_counts,
    .phases = {{"sample", bench::on_host<sample>, bench::On::host}},
    .cpu = {.streams = options::generators,
            .isa = isa,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_vectors_serial",
            .serial_technique = "n9's polynomials in vector registers, one core"},
};

}  // namespace vectors
}  // namespace normals
