// The work of the peers of the ladder arrays: a launch tests the points of two arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/arrays/shared/host_words.hpp"

namespace peers {

inline constexpr std::uint64_t arrays_seed = 1234;
inline constexpr std::uint64_t arrays_samples = std::uint64_t{1} << 26;  // of a launch, as in the ladder

/// The words of `arrays_samples` points in pageable memory of the host, made as by step a0.
class HostWords {
 public:
    static constexpr const char* generator = "std::mt19937";

    HostWords() : memory_(2 * arrays_samples) {}

    /// Makes the words of a launch.
    arrays::Words make(std::uint64_t launch) {
        const arrays::Words words = arrays::words_in(memory_.data(), arrays_samples);
        arrays::make_words(words, {arrays_seed, launch});
        return words;
    }

 private:
    std::vector<std::uint32_t> memory_;
};

}  // namespace peers
