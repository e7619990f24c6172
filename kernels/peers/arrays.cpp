#include "kernels/peers/arrays.hpp"

#include <algorithm>
#include <random>

#include "kernels/random/stream_seed.cuh"

namespace peers {
namespace {

void fill(std::vector<std::uint32_t>& words, std::uint64_t launch, unsigned stream) {
    words.resize(arrays_samples);
    std::mt19937 generator(pi::stream_seed(arrays_seed, launch, 0, stream));
    std::generate(words.begin(), words.end(), [&] { return static_cast<std::uint32_t>(generator()); });
}

}  // namespace

void HostWords::make(std::uint64_t launch) {
    fill(x_, launch, 0);
    fill(y_, launch, 1);
}

}  // namespace peers
