// Normal numbers on the CPU: MT19937 and a ziggurat of 128 layers, as the chapter's CPU has them.
//
// Marsaglia and Tsang, "The ziggurat method for generating random variables", Journal of Statistical Software 5 (8), 2000.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

namespace options {

/// The layers of the ziggurat under exp(-x^2 / 2), x >= 0: 127 rectangles and a base strip with the tail, all of the same
/// area. Layer i reaches from 0 to edge[i] and is as high as f(edge[i + 1]) - f(edge[i]). A point of it is surely under
/// the curve if it is left of edge[i + 1].
class Ziggurat {
 public:
    static constexpr unsigned layers = 128;
    static constexpr double tail = 3.442619855899;           // where the base strip ends and the tail begins: r in the paper
    static constexpr double area = 9.91256303526217e-3;      // of a layer: v in the paper

    Ziggurat() {
        const auto curve = [](double x) { return std::exp(-0.5 * x * x); };
        double edge = tail;
        edges_[0] = area / curve(tail);  // the width that the base strip would have as a rectangle
        for (unsigned i = 1; i < layers; i++) {
            edges_[i] = edge;
            edge = std::sqrt(-2 * std::log(std::min(1.0, area / edge + curve(edge))));
        }
        edges_[layers] = 0;
        for (unsigned i = 0; i <= layers; i++) heights_[i] = curve(edges_[i]);
        for (unsigned i = 0; i < layers; i++) {
            scales_[i] = static_cast<float>(edges_[i] * 0x1p-24);
            sure_[i] = static_cast<std::int32_t>(std::floor(edges_[i + 1] / edges_[i] * 0x1p24));
        }
    }

 private:
    std::array<double, layers + 1> edges_, heights_;
    std::array<float, layers> scales_;
    std::array<std::int32_t, layers> sure_;
};

}  // namespace options
