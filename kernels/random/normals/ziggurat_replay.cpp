#include "kernels/random/normals/ziggurat_replay.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/random/normals/ziggurat.hpp"
#include "kernels/random/stream_seed.cuh"

namespace rng {
namespace {

/// The words of a state, for the constructor of std::mt19937: hashes of a stream, from number `first` on.
class HashedWords {
 public:
    using result_type = std::uint32_t;

    HashedWords(const bench::StreamId& id, unsigned first) : id_(id), next_(first) {}

    template <typename Word>
    void generate(Word begin, Word end) {
        std::generate(begin, end, [&] { return stream_seed(id_.seed, id_.launch, id_.thread, next_++); });
    }

 private:
    bench::StreamId id_;
    unsigned next_;
};

std::mt19937 generator_of(const bench::StreamId& id, unsigned first) {
    HashedWords words(id, first);
    return std::mt19937(words);
}

}  // namespace

ReplayedZiggurat::ReplayedZiggurat(const bench::StreamId& id)
    : words_(generator_of(id, 0)), others_(generator_of(id, std::mt19937::state_size)) {}

float ReplayedZiggurat::operator()() {
    const Ziggurat& z = ziggurat();
    for (auto word = static_cast<std::uint32_t>(words_());; word = static_cast<std::uint32_t>(others_())) {
        const unsigned layer = word % Ziggurat::layers;
        const int place = static_cast<std::int32_t>(word) >> 7, size = place < 0 ? -1 - place : place;
        const float x = static_cast<float>(place) * z.unit[layer] + 0.5f * z.unit[layer];
        if (size < z.certain[layer]) return x;
        if (layer == 0) return std::copysign(of_tail(), x);
        const double y = z.height[layer] + uniform() * (z.height[layer + 1] - z.height[layer]);
        if (y < std::exp(-0.5 * double{x} * x)) return x;
    }
}

/// By Marsaglia's method.
float ReplayedZiggurat::of_tail() {
    for (;;) {
        const double beyond = -std::log(uniform()) / Ziggurat::tail, y = -std::log(uniform());
        if (2 * y >= beyond * beyond) return static_cast<float>(Ziggurat::tail + beyond);
    }
}

/// In (0, 1).
double ReplayedZiggurat::uniform() { return (static_cast<double>(others_()) + 0.5) * 0x1p-32; }

}  // namespace rng
