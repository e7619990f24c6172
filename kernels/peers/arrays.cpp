#include "kernels/peers/arrays.hpp"

#include "kernels/random/fill_mt19937.hpp"
#include "kernels/random/stream_seed.cuh"

namespace peers {
namespace {

void fill(std::vector<std::uint32_t>& words, std::uint64_t launch, unsigned stream) {
    words.resize(arrays_samples);
    std::mt19937 generator(pi::stream_seed(arrays_seed, launch, 0, stream));
    pi::fill(words.data(), words.size(), generator);
}

}  // namespace

void HostWords::make(std::uint64_t launch) {
    fill(x_, launch, 0);
    fill(y_, launch, 1);
}

}  // namespace peers
