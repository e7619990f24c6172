#include "kernels/mcls/analysis/functionals.hpp"

#include "kernels/random/philox.cuh"

namespace mcls {

std::uint64_t signs_of(std::uint32_t state) {
    const rng::PhiloxCounter words = rng::philox4x32_10({{state, 0, 0, 3}}, {{0, 0}});
    return std::uint64_t{words.word[1]} << 32 | words.word[0];
}

Lanes SignedSums::of(std::size_t k) const {
    Lanes sums{};
    const std::array<Lanes, 256>& table = tables_[k / 8];
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[lane] += sign(byte, k % 8) * table[byte][lane];
        }
    }
    return sums;
}

}  // namespace mcls
