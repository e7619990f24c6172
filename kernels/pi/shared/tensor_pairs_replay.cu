#include <array>
#include <vector>

#include "kernels/pi/shared/tensor_pairs.cuh"
#include "kernels/pi/shared/tensor_pairs_replay.hpp"
#include "kernels/random/draws.cuh"

namespace pi {
namespace {

constexpr unsigned lanes = 32;

std::vector<rng::FoldedMrgDraws> draws_of_warp(bench::StreamId id) {
    std::vector<rng::FoldedMrgDraws> draws;
    id.thread -= id.thread % lanes;
    for (unsigned lane = 0; lane < lanes; lane++, id.thread++) {
        draws.emplace_back(id);
    }
    return draws;
}

/// The words of each lane for two steps.
using WarpWords = std::array<std::array<unsigned, tensor_words>, lanes>;

WarpWords draw_words(std::vector<rng::FoldedMrgDraws>& draws) {
    WarpWords words;
    for (unsigned lane = 0; lane < lanes; lane++) {
        for (unsigned& word : words[lane]) {
            word = draws[lane]();
        }
    }
    return words;
}

unsigned odd_coordinate(unsigned word, unsigned half) { return 2 * (word >> 16 * half) % (2 * tensor_places) + 1; }

/// Tests sample `i` of two steps of the thread in `lane`, in whole numbers.
bool is_hit_of_words(const WarpWords& words, unsigned lane, unsigned i) {
    const unsigned step = i / tensor_step_samples;
    const TensorSample sample = tensor_sample(lane, i % tensor_step_samples);
    const unsigned x = odd_coordinate(words[sample.lane_of_x][step], sample.half_of_x);
    const unsigned y = odd_coordinate(words[sample.lane_of_y][2], step);
    return x * x + y * y < 4 * tensor_places * tensor_places;
}

}  // namespace

std::uint64_t replay_tensor_pairs(const bench::StreamId& id, unsigned iters) {
    auto draws = draws_of_warp(id);
    WarpWords words;
    std::uint64_t hits = 0;
    for (unsigned i = 0; i < iters; i++) {
        if (i % (2 * tensor_step_samples) == 0) {
            words = draw_words(draws);
        }
        hits += is_hit_of_words(words, id.thread % lanes, i % (2 * tensor_step_samples)) ? 1 : 0;
    }
    return hits;
}

}  // namespace pi
