// The work of the peers of the ladder arrays: a launch tests the points of two arrays.
#pragma once

#include <cstdint>
#include <vector>

namespace peers {

inline constexpr std::uint64_t arrays_seed = 1234;
inline constexpr std::uint64_t arrays_samples = std::uint64_t{1} << 26;  // of a launch, as in the ladder

/// The words of `arrays_samples` points in host memory, made as by step a0: by one std::mt19937 for each array.
class HostWords {
 public:
    static constexpr const char* generator = "std::mt19937";

    /// Makes the words of a launch.
    void make(std::uint64_t launch);

    const std::vector<std::uint32_t>& x() const { return x_; }
    const std::vector<std::uint32_t>& y() const { return y_; }

 private:
    std::vector<std::uint32_t> x_, y_;
};

}  // namespace peers
