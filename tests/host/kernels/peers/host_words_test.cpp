// The peers of the ladder arrays make the words of step a0. Words and hits were counted with numpy from the definitions of
// MT19937 and of stream_seed.
#include <gtest/gtest.h>

#include "kernels/peers/arrays.hpp"
#include "kernels/pi/device/coordinate.cuh"
#include "kernels/pi/device/hit.cuh"

namespace {

std::uint64_t count_hits(const peers::HostWords& words, std::uint64_t n) {
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < n; i++) {
        hits += pi::is_hit(pi::to_curand_uniform(words.x()[i]), pi::to_curand_uniform(words.y()[i])) ? 1 : 0;
    }
    return hits;
}

TEST(HostWords, AreThoseOfStepA0) {
    peers::HostWords words;
    words.make(0);
    EXPECT_EQ((std::vector(words.x().begin(), words.x().begin() + 3)),
              (std::vector<std::uint32_t>{677307141, 2296237320, 667694161}));
    EXPECT_EQ((std::vector(words.y().begin(), words.y().begin() + 3)),
              (std::vector<std::uint32_t>{2463092725, 4204834276, 3578287871}));
    EXPECT_EQ(words.y().size(), std::uint64_t{1} << 26);
    EXPECT_EQ(count_hits(words, 1'000), 799u);
    EXPECT_EQ(count_hits(words, words.x().size()), 52'704'542u);
    words.make(1);
    EXPECT_EQ(count_hits(words, words.x().size()), 52'706'378u);
}

}  // namespace
