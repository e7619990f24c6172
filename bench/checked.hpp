// Multiplication that detects overflow, and the limit that it serves.
#pragma once

#include <cstdint>
#include <optional>

namespace bench {

/// Maximum work of a run, in units. Sums of squares of counts then fit into 128 bits.
inline constexpr std::uint64_t max_work = std::uint64_t{1} << 63;

/// a * b; empty if it exceeds 2^64 - 1.
inline std::optional<std::uint64_t> checked_product(std::uint64_t a, std::uint64_t b) {
    if (b != 0 && a > UINT64_MAX / b) {
        return std::nullopt;
    }
    return a * b;
}

}  // namespace bench
