// Exact whole numbers: of 128 bits, products that detect overflow, and the limit that they serve.
// .cu files include it, so it is C++17.
#pragma once

#include <cstdint>
#include <optional>

namespace bench {

// ISO C++ has none.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

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
