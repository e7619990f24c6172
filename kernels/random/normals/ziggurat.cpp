#include "kernels/random/normals/ziggurat.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/clones.hpp"
#include "kernels/random/stream_seed.cuh"

namespace rng {
namespace {

using Block = Mt19937::Block;
constexpr unsigned block_words = Mt19937::block_words;

unsigned layer_of(std::uint32_t word) { return word % Ziggurat::layers; }
std::int32_t place_of(std::uint32_t word) { return static_cast<std::int32_t>(word) >> 7; }

/// Places are midpoints.
float normal_of(float unit, std::int32_t place) { return static_cast<float>(place) * unit + 0.5f * unit; }

FUNCTION_CLONES void next_words(Mt19937& generator, Block& words) { generator.next_block(words); }

/// The normal of each word, if it is certain. Returns how many are not, and their numbers.
FUNCTION_CLONES unsigned certain_normals(Mt19937& generator, const Ziggurat& z, Block& words,
                                         std::array<float, block_words>& normals,
                                         std::array<std::uint16_t, block_words>& uncertain) {
    generator.next_block(words);
    std::array<std::int32_t, block_words> is_uncertain;
    for (unsigned i = 0; i < block_words; i++) {
        const unsigned layer = layer_of(words[i]);
        const std::int32_t place = place_of(words[i]);
        normals[i] = normal_of(z.unit[layer], place);
        is_uncertain[i] = (place ^ (place >> 31)) >= z.certain[layer];  // the size of place + 1/2, rounded down
    }
    unsigned found = 0;
    for (unsigned i = 0; i < block_words; i++) {
        uncertain[found] = static_cast<std::uint16_t>(i);
        found += static_cast<unsigned>(is_uncertain[i]);
    }
    return found;
}

}  // namespace

Ziggurat::Ziggurat() {
    const auto curve = [](double x) { return std::exp(-0.5 * x * x); };
    std::array<double, layers + 1> edge;
    edge[0] = area / curve(tail);  // the base strip as a rectangle
    edge[1] = tail;
    for (unsigned i = 1; i + 1 < layers; i++) edge[i + 1] = std::sqrt(-2 * std::log(area / edge[i] + curve(edge[i])));
    edge[layers] = 0;
    for (unsigned i = 0; i <= layers; i++) height[i] = curve(edge[i]);
    for (unsigned i = 0; i < layers; i++) {
        unit[i] = static_cast<float>(edge[i] * 0x1p-24);
        certain[i] = static_cast<std::int32_t>(edge[i + 1] / edge[i] * 0x1p24);
    }
}

const Ziggurat& ziggurat() {
    static const Ziggurat one;
    return one;
}

ZigguratNormals::ZigguratNormals(const bench::StreamId& id)
    : words_([&](unsigned i) { return stream_seed(id.seed, id.launch, id.thread, i); }),
      others_([&](unsigned i) { return stream_seed(id.seed, id.launch, id.thread, block_words + i); }) {}

void ZigguratNormals::fill(std::span<float> normals) {
    while (!normals.empty()) {
        if (taken_ == block_words) make_block();
        const std::size_t n = std::min<std::size_t>(normals.size(), block_words - taken_);
        std::copy_n(block_.begin() + taken_, n, normals.begin());
        taken_ += static_cast<unsigned>(n);
        normals = normals.subspan(n);
    }
}

void ZigguratNormals::make_block() {
    Block words;
    std::array<std::uint16_t, block_words> uncertain;
    const unsigned found = certain_normals(words_, ziggurat(), words, block_, uncertain);
    for (unsigned i = 0; i < found; i++) block_[uncertain[i]] = slow(words[uncertain[i]]);
    taken_ = 0;
}

/// The normal of a word that may be above the curve.
float ZigguratNormals::slow(std::uint32_t word) {
    const Ziggurat& z = ziggurat();
    for (;; word = next_word()) {
        const unsigned layer = layer_of(word);
        const std::int32_t place = place_of(word);
        const float x = normal_of(z.unit[layer], place);
        if ((place ^ (place >> 31)) < z.certain[layer]) return x;
        if (layer == 0) {  // the tail, by Marsaglia's method
            double beyond, y;
            do {
                beyond = -std::log(uniform()) / Ziggurat::tail;
                y = -std::log(uniform());
            } while (2 * y < beyond * beyond);
            return static_cast<float>(x > 0 ? Ziggurat::tail + beyond : -(Ziggurat::tail + beyond));
        }
        const double y = z.height[layer] + uniform() * (z.height[layer + 1] - z.height[layer]);
        if (y < std::exp(-0.5 * double{x} * x)) return x;
    }
}

std::uint32_t ZigguratNormals::next_word() {
    if (others_taken_ == block_words) {
        next_words(others_, block_of_others_);
        others_taken_ = 0;
    }
    return block_of_others_[others_taken_++];
}

/// In (0, 1).
double ZigguratNormals::uniform() { return (next_word() + 0.5) * 0x1p-32; }

}  // namespace rng
