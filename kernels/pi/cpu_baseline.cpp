// The CPU baseline: serial with one thread, OpenMP with more
// Change: none. It joins the lecture's two CPU programs and makes them comparable: v6's generator instead of an unnamed
//         one, the ladder's hit rule without the square root, and streams that belong to the launch and not to a core.
// Why:    a CPU with all its cores and vector units at work, to compare the GPU with.
// Cost:   as v6: Philox is nearly all of it. The compiler vectorises the loop 8 samples wide with AVX2 and 16 wide with
//         AVX-512. Without a fused multiply-add, which SSE2 lacks, the hit rule is a library call and the loop scalar.
// Limit:  32x32->64-bit vector multiplications.
#include "bench/estimands/hits/source.hpp"
#include "bench/step.hpp"
#include "kernels/cpu/clones.hpp"
#include "kernels/cpu/openmp_team.hpp"
#include "kernels/pi/shared/coordinate.cuh"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/pi/shared/hit.cuh"
#include "kernels/pi/shared/make_source.cuh"
#include "kernels/random/philox.cuh"

namespace pi::cpu {
namespace {

constexpr unsigned streams =
    4096;  // some for every core of any machine, so that hits do not depend on how many there are

/// Hits of one stream: each Philox counter gives two samples, the pairs (0, 1) and (2, 3) of its words.
FUNCTION_CLONES unsigned hits_of_stream(std::uint64_t seed, std::uint64_t subsequence, unsigned iters) {
    const rng::PhiloxKey key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    const auto low = static_cast<std::uint32_t>(subsequence), high = static_cast<std::uint32_t>(subsequence >> 32);
    const auto hit = [](std::uint32_t x_bits, std::uint32_t y_bits) -> unsigned {
        return is_hit(to_curand_uniform(x_bits), to_curand_uniform(y_bits)) ? 1 : 0;
    };
    unsigned hits = 0;
    for (unsigned counter = 0; counter < iters / 2; counter++) {
        const rng::PhiloxCounter r = rng::philox4x32_10({{counter, 0, low, high}}, key);
        hits += hit(r.word[0], r.word[1]) + hit(r.word[2], r.word[3]);
    }
    if (iters % 2 == 1) {
        const rng::PhiloxCounter r = rng::philox4x32_10({{iters / 2, 0, low, high}}, key);
        hits += hit(r.word[0], r.word[1]);
    }
    return hits;
}

void count_hits(const bench::Launch& l) {
#pragma omp parallel for num_threads(l.shape.threads) schedule(static)
    for (unsigned stream = 0; stream < streams; stream++) {
        l.counts[stream] = hits_of_stream(l.seed, l.index * streams + stream, l.iters);
    }
}

std::size_t count_of_each_stream(bench::Shape) { return streams; }

const bench::Source philox = {
    .name = "philox_cpu",
    .generator = "Philox4x32-10, the streams of v6",
    .soundness = bench::Soundness::sound,
    .expected = curand_uniform_pairs,
    .log2_cycle_samples = 129,  // 2^128 counters of four words, two words a sample
    .replay = replay<rng::PhiloxDraws, scaled_hit_of_words<to_curand_uniform>>,  // cuRAND's Philox
};

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu_openmp",
    .title = "CPU",
    .technique = "OpenMP over streams, Philox vectorised by the compiler",
    .lesson = "A fair opponent: all cores, vector units, and the same statistics as the GPU versions.",
    .estimand = bench::hits({.source = philox}),
    .default_iters = 10'000,
    .loops_from = bench::plain_loops,
    .counts = count_of_each_stream,
    .phases = {{"sample", bench::on_host<count_hits>, bench::On::host}},
    .cpu = {.streams = streams,
            .isa = bench::isa_of_clones,
            .team_size = bench::openmp_team_size,
            .serial_name = "cpu_serial",
            .serial_technique = "one core, Philox vectorised by the compiler"},
};

}  // namespace pi::cpu
