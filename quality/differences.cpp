#include "quality/differences.hpp"

#include "kernels/random/mrg.cuh"
#include "quality/launch_words.hpp"

namespace quality {
namespace {

constexpr unsigned leading_bits = 4;

constexpr std::uint64_t remainder = std::uint64_t{rng::mrg_multiplier} * inverse_multiplier % 0xffffffffu;
static_assert(remainder == 1 || remainder == 0xfffffffeu, "not the inverse");

Serial differences_at(std::span<const std::uint32_t> words, std::size_t distance) {
    std::vector<std::uint64_t> counts(1u << leading_bits);
    for (std::size_t i = distance; i < words.size(); i++) {
        counts[inverse_multiplier * (words[i] - words[i - distance]) >> (32 - leading_bits)]++;
    }
    return serial(counts);
}

}  // namespace

std::vector<Serial> differences(std::span<const std::uint32_t> words, std::size_t streams, unsigned lags) {
    std::vector<Serial> found;
    for (unsigned lag = 1; lag <= lags; lag++) {
        found.push_back(differences_at(words, lag * streams));
    }
    return found;
}

std::vector<Serial> differences(const bench::Source& source, std::uint64_t seed, std::size_t words, unsigned lags) {
    WordOrder order;
    order.lanes = source.bit_planes;
    ThreadWords thread(source, {seed, 0, 1, 0}, order);
    const std::size_t streams = thread.words_per_turn();
    std::vector<std::uint32_t> drawn(words / streams * streams);
    for (std::size_t i = 0; i < drawn.size(); i += streams) {
        thread.turn(&drawn[i]);
    }
    return differences(drawn, streams, lags);
}

}  // namespace quality
