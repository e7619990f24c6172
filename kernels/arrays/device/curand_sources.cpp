#include "kernels/arrays/device/curand_sources.hpp"

#include "kernels/arrays/device/expectations.hpp"
#include "kernels/pi/device/expectations.hpp"

namespace arrays::sources {
namespace {

/// Cycles are in draws; a sample takes two.
bench::Source of_curand(const char* name, const char* generator, double log2_cycle,
                        const bench::Expectation& expected = pi::curand_uniform_pairs) {
    return {.name = name,
            .generator = generator,
            .soundness = bench::Soundness::not_tested,
            .expected = expected,
            .log2_cycle_samples = log2_cycle - 1};
}

/// Each point is shifted at random, so each word is uniform.
bench::Source shifted_sobol() {
    bench::Source source = of_curand("curand_sobol", "cuRAND SOBOL32, 2 dimensions, shifted", 33);
    source.soundness = bench::Soundness::quasi_random;
    return source;
}

}  // namespace

const bench::Source curand_mtgp32 = of_curand("curand_mtgp32", "cuRAND MTGP32", 11213);
const bench::Source curand_mt19937 = of_curand("curand_mt19937", "cuRAND MT19937", 19937);
const bench::Source curand_xorwow = of_curand("curand_xorwow", "cuRAND XORWOW", 192);
const bench::Source curand_philox = of_curand("curand_philox", "cuRAND Philox4_32_10", 130);
const bench::Source curand_mrg32k3a = of_curand("curand_mrg32k3a", "cuRAND MRG32k3a", 191, mrg32k3a_pairs);
const bench::Source curand_sobol = shifted_sobol();

}  // namespace arrays::sources
