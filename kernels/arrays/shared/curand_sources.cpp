#include "kernels/arrays/shared/curand_sources.hpp"

#include <vector>

#include "kernels/arrays/shared/expectations.hpp"
#include "kernels/arrays/shared/hit.cuh"
#include "kernels/pi/shared/expectations.hpp"
#include "kernels/random/curand_words.hpp"
#include "kernels/random/sobol.cuh"

namespace arrays::sources {
namespace {

/// The hits of a launch, whose words cuRAND makes on the host too.
template <const rng::CurandKind& kind>
std::uint64_t hits_of_launch(std::uint64_t seed, std::uint64_t launch, std::uint64_t samples) {
    rng::CurandWords generator(kind, rng::CurandWords::Side::host);
    generator.begin(seed, launch, 2 * samples);
    std::vector<std::uint32_t> words(2 * samples);
    generator.generate(words.data(), words.size());
    const bool is_shifted = kind.start == rng::Start::at_zero;
    const rng::SobolPoint shift = is_shifted ? rng::sobol_shift(seed, launch) : rng::SobolPoint{0, 0};
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < samples; i++) hits += is_hit(words[i] ^ shift.x, words[samples + i] ^ shift.y);
    return hits;
}

/// Cycles are in draws; a sample takes two.
template <const rng::CurandKind& kind>
bench::Source of_curand(const char* name, const char* generator, double log2_cycle,
                        const bench::Expectation& expected = pi::curand_uniform_pairs) {
    return {.name = name,
            .generator = generator,
            .soundness = bench::Soundness::not_tested,
            .expected = expected,
            .log2_cycle_samples = log2_cycle - 1,
            .replay_launch = hits_of_launch<kind>};
}

/// Each point is shifted at random, so each word is uniform.
bench::Source shifted_sobol() {
    bench::Source source = of_curand<rng::sobol_words>("curand_sobol", "cuRAND SOBOL32, 2 dimensions, shifted", 33);
    source.soundness = bench::Soundness::quasi_random;
    return source;
}

}  // namespace

const bench::Source curand_mtgp32 = of_curand<rng::mtgp32_words>("curand_mtgp32", "cuRAND MTGP32", 11213);
const bench::Source curand_mt19937 = of_curand<rng::mt19937_words>("curand_mt19937", "cuRAND MT19937", 19937);
const bench::Source curand_xorwow = of_curand<rng::xorwow_words>("curand_xorwow", "cuRAND XORWOW", 192);
const bench::Source curand_philox = of_curand<rng::philox_words>("curand_philox", "cuRAND Philox4_32_10", 130);
const bench::Source curand_mrg32k3a =
    of_curand<rng::mrg32k3a_words>("curand_mrg32k3a", "cuRAND MRG32k3a", 191, mrg32k3a_pairs);
const bench::Source curand_sobol = shifted_sobol();

}  // namespace arrays::sources
