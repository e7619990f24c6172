// Step 0: the host code
// Change: none. The article's program on the CPU: the words of all X and then of all Y, by one std::mt19937 each, go into
//         arrays. A loop makes a flag of each sample, and another one adds up the flags. OpenMP shares out both loops, as
//         the article's compiler did; the words are made by one core.
// Why:    the baseline. Predicted: 0.27 samples/ns, from 3.46 ns for the two words of a sample. All cores together save
//         little, because nearly all of the time is serial (Amdahl).
// Cost:   two words of MT19937 on one core; 12 bytes written and 12 read per sample.
// Limit:  one core's generator. Next: the loops go to a GPU.
#include "bench/cpu_step.hpp"
#include "bench/workers/cpu/clones.hpp"
#include "bench/workers/cpu/openmp_team.hpp"
#include "kernels/arrays/device/host_flags.hpp"
#include "kernels/arrays/device/host_words.hpp"
#include "kernels/arrays/device/sources.hpp"

namespace arrays::a0 {
namespace {

using bench::CpuLaunch;

constexpr unsigned streams = 1024 * 256;  // the threads of a4 and later steps; together they share two sequences

std::uint64_t samples(unsigned iters) { return std::uint64_t{streams} * iters; }
Words words(const CpuLaunch& l) { return words_in(l.scratch, samples(l.iters)); }
std::uint32_t* flags(const CpuLaunch& l) { return flags_in(l.scratch, samples(l.iters)); }

std::size_t arrays_bytes(unsigned iters) { return bench::bytes_of(padded(samples(iters)), with_flag); }

void make(const CpuLaunch& l) { make_words(words(l), {l.seed, l.index}); }
void test(const CpuLaunch& l) { flag_hits_on_host(flags(l), words(l), l.threads); }
void add(const CpuLaunch& l) { l.counts[0] = sum_on_host(flags(l), samples(l.iters), l.threads); }

}  // namespace

extern const bench::CpuStep step;
const bench::CpuStep step = {
    .name = "a0",
    .title = "Host code",
    .technique = "arrays on the host, words by one core, test and sum by OpenMP",
    .lesson = "Nearly all of the time is serial, so many cores help little.",
    .estimand = bench::hits({.source = sources::mt19937}),
    .streams = streams,
    .default_iters = 256,
    .scratch_bytes = arrays_bytes,
    .isa = bench::isa_of_clones,
    .team_size = bench::openmp_team_size,
    .phases = {{"rng", make}, {"compute", test}, {"reduce", add}},
};

}  // namespace arrays::a0
