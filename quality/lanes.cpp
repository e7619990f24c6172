#include "quality/lanes.hpp"

#include <algorithm>

namespace quality {

BitMatrix lanes_of(BitMatrix m) {
    // Transposes: swaps the off-diagonal blocks of smaller and smaller squares. Columns count from the leading bit.
    std::uint32_t mask = 0x0000ffffu;
    for (unsigned size = 16; size != 0; size /= 2, mask ^= mask << size) {
        for (unsigned k = 0; k < 32; k = (k + size + 1) & ~size) {
            const std::uint32_t swapped = (m[k] ^ (m[k + size] >> size)) & mask;
            m[k] ^= swapped;
            m[k + size] ^= swapped << size;
        }
    }
    std::reverse(m.begin(), m.end());  // rows count from the leading bit, lanes from the lowest
    return m;
}

}  // namespace quality
