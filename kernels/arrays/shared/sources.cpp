#include "kernels/arrays/shared/sources.hpp"

#include "kernels/arrays/shared/host_words.hpp"
#include "kernels/pi/shared/expectations.hpp"

namespace arrays::sources {

namespace {

// Only a launch as a whole gives the words: see host_words.hpp.
constexpr bench::Source of_host(decltype(bench::Source::replay_launch) replay_launch) {
    return {.name = "mt19937",
            .generator = "Mersenne Twister MT19937 (std::mt19937), one sequence for x and one for y",
            .soundness = bench::Soundness::not_tested,
            .expected = pi::curand_uniform_pairs,
            .log2_cycle_samples = 19937,  // a sample takes one word of each sequence; the period is 2^19937 - 1
            .replay_launch = replay_launch};
}

}  // namespace

const bench::Source mt19937 = of_host(hits_of_words);
const bench::Source mt19937_chunks = of_host(hits_of_chunks);

}  // namespace arrays::sources
