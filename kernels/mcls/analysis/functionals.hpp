// Fixed functionals c.X of a solution X, by which many histories are judged at once: every coefficient is +1 or -1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/mcls/analysis/resolvent.hpp"

namespace mcls {

/// How many there are.
inline constexpr std::size_t functionals = 64;

/// The signs of a state in all functionals: functional k has coefficient -1 if bit k is set, else +1. Bits 0 to 31 are word 0
/// of Philox4x32-10 with key 0 and counter (state, 0, 0, 3), bits 32 to 63 are word 1.
std::uint64_t signs_of(std::uint32_t state);

/// The coefficient of functional k: +1 or -1.
inline double sign(std::uint64_t signs, std::size_t k) { return (signs >> k & 1) == 0 ? 1 : -1; }

/// Sums over states of coefficient times value, for all functionals and several values at once. A table for each byte of the
/// signs makes 8 additions of 64.
class SignedSums {
 public:
    void add(std::uint64_t signs, const Lanes& values) {
        for (std::size_t byte = 0; byte < tables_.size(); ++byte) {
            Lanes& sum = tables_[byte][signs >> (8 * byte) & 0xff];
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                sum[lane] += values[lane];
            }
        }
    }

    /// The sums of functional k.
    Lanes of(std::size_t k) const;

 private:
    std::vector<std::array<Lanes, 256>> tables_ = std::vector<std::array<Lanes, 256>>(functionals / 8);
};

}  // namespace mcls
