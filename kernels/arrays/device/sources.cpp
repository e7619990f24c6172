#include "kernels/arrays/device/sources.hpp"

#include "kernels/pi/device/expectations.hpp"

namespace arrays::sources {

// Only a launch as a whole gives the words: see host_words.hpp.
const bench::Source mt19937 = {
    .name = "mt19937",
    .generator = "Mersenne Twister MT19937 (std::mt19937), one sequence for x and one for y",
    .soundness = bench::Soundness::not_tested,
    .expected = pi::curand_uniform_pairs,
    .log2_cycle_samples = 19937,  // a sample takes one word of each sequence; the period is 2^19937 - 1
};

}  // namespace arrays::sources
