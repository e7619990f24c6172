// Normal numbers on the CPU: words of MT19937 and a ziggurat of 128 layers, the chapter's choice.
//
// Marsaglia and Tsang, "The ziggurat method for generating random variables", Journal of Statistical Software 5 (8), 2000.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "bench/step.hpp"
#include "kernels/random/mt19937.hpp"

namespace rng {

/// The layers of a ziggurat over exp(-x^2 / 2), x >= 0, of equal area: the base strip with the tail, then 127 rectangles.
/// Layer i reaches from 0 to edge i. Its points left of edge i + 1 are under the curve.
class Ziggurat {
 public:
    static constexpr unsigned layers = 128;
    static constexpr double tail = 3.442619855899;       // where the tail begins: r of the paper
    static constexpr double area = 9.91256303526217e-3;  // of a layer: v of the paper

    Ziggurat();

    // Of a word, the lowest 7 bits choose the layer, and the others are a number from -2^24 to 2^24 - 1: its place between
    // minus and plus the edge. The paper uses the bits of the layer again for the place, which makes them depend on each
    // other.
    alignas(64) std::array<float, layers> unit;            // the edge times 2^-24
    alignas(64) std::array<std::int32_t, layers> certain;  // places of a smaller size are under the curve
    std::array<double, layers + 1> height;                 // of the curve at edge i
};

/// The ziggurat; there is one.
const Ziggurat& ziggurat();

/// Independent unit normals of one stream.
class ZigguratNormals {
 public:
    /// Stream number id.thread of launch id.launch. The state of MT19937 is hashed from it.
    explicit ZigguratNormals(const bench::StreamId& id);

    /// The next normals of the stream. The floats do not depend on the instruction set, nor on how many are taken at once.
    void fill(std::span<float> normals);

 private:
    void make_block();
    float slow(std::uint32_t word);
    std::uint32_t next_word();
    double uniform();

    // Most normals take one word. What else they take comes from a second sequence, so that all words of a block
    // become normals at once.
    Mt19937 words_, others_;
    Mt19937::Block block_of_others_;
    std::array<float, Mt19937::block_words> block_;
    unsigned taken_ = Mt19937::block_words, others_taken_ = Mt19937::block_words;
};

}  // namespace rng
