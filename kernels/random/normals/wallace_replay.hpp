// Wallace's generator on the CPU: the floats of the GPU's pools, bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/random/normals/wallace.cuh"

namespace rng {

/// The places from which a thread of the source reads whose first row comes after `row`, for every row.
using ReadPlaces = std::array<std::array<std::uint16_t, of_thread>, pool_threads>;

constexpr ReadPlaces made_read_places() {
    ReadPlaces all = {};
    for (unsigned first = 0; first < pool_threads; first++) {
        unsigned row = first;
        for (unsigned j = 0; j < of_thread; j++) {
            row = next_row(row);
            all[first][j] = static_cast<std::uint16_t>(place_in(row, j));
        }
    }
    return all;
}
inline constexpr ReadPlaces read_places = made_read_places();

/// A pool and its m.
class WallacePool {
 public:
    /// `numbers`: K of them.
    WallacePool(std::vector<float> numbers, unsigned m) : numbers_(std::move(numbers)), next_(pool_size), m_(m) {}

    void pass() {
        lcg(&m_);
        for (unsigned thread = 0; thread < pool_threads; thread++) {
            float x[of_thread];
            const auto& reads = read_places[(m_ + thread) % pool_threads];
            for (unsigned j = 0; j < of_thread; j++) x[j] = numbers_[reads[j]];
            rotate(x);
            for (unsigned j = 0; j < of_thread; j++) next_[j * pool_threads + thread] = x[j];
        }
        numbers_.swap(next_);
    }

    const std::vector<float>& numbers() const { return numbers_; }
    unsigned m() const { return m_; }

 private:
    std::vector<float> numbers_, next_;
    unsigned m_;
};

}  // namespace rng
