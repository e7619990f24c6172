// Step 0: the host code
// Change: none. The article's program on the CPU: the words of all X and then of all Y, by one std::mt19937 each, go into
//         arrays. A loop makes a flag of each sample, and another one adds up the flags. OpenMP shares out both loops, as
//         the article's compiler did; the words are made by one core.
// Why:    the baseline. Predicted: 0.27 samples/ns, from 3.46 ns for the two words of a sample. All cores together save
//         little, because nearly all of the time is serial (Amdahl).
// Cost:   two words of MT19937 on one core; 12 bytes written and 12 read per sample.
// Limit:  one core's generator. Next: the loops go to a GPU.
#include "bench/step.hpp"
#include "kernels/arrays/shared/host_flags.hpp"
#include "kernels/arrays/shared/host_words.hpp"
#include "kernels/arrays/shared/sources.hpp"
#include "kernels/cpu/clones.hpp"
#include "kernels/cpu/openmp_team.hpp"

namespace arrays::a0 {
namespace {

using bench::Launch;

constexpr unsigned streams = 1024 * 256;  // the threads of a4 and later steps; together they share two sequences

std::uint64_t samples(unsigned iters) { return std::uint64_t{streams} * iters; }
Words words(const Launch& l) { return words_in(l.scratch, samples(l.iters)); }
std::uint32_t* flags(const Launch& l) { return flags_in(l.scratch, samples(l.iters)); }

std::size_t arrays_bytes(bench::Shape, unsigned iters) { return bench::bytes_of(padded(samples(iters)), with_flag); }

void make(const Launch& l) { make_words(words(l), {l.seed, l.index}); }
void test(const Launch& l) { flag_hits_on_host(flags(l), words(l), l.shape.threads); }
void add(const Launch& l) { l.counts[0] = sum_on_host(flags(l), samples(l.iters), l.shape.threads); }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "a0",
    .title = "Host code",
    .technique = "arrays on the host, words by one core, test and sum by OpenMP",
    .lesson = "Nearly all of the time is serial, so many cores help little.",
    .estimand = bench::hits({.source = sources::mt19937}),
    .default_iters = 256,
    .loops_from = 1,
    .scratch_bytes = arrays_bytes,
    .phases = {{"rng", bench::on_host<make>, bench::On::host},
               {"compute", bench::on_host<test>, bench::On::host},
               {"reduce", bench::on_host<add>, bench::On::host}},
    .cpu = {.streams = streams, .isa = bench::isa_of_clones, .team_size = bench::openmp_team_size},
};

}  // namespace arrays::a0
