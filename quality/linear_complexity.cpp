#include "quality/linear_complexity.hpp"

#include <bit>
#include <cmath>

namespace quality {
namespace {

using Words = std::vector<std::uint64_t>;

/// a ^= b * x^shift, cut to the length of `a`.
void add_shifted(Words& a, const Words& b, std::size_t shift) {
    const std::size_t words = shift / 64, bits = shift % 64;
    for (std::size_t i = a.size(); i-- > words;) {
        std::uint64_t moved = b[i - words] << bits;
        if (bits > 0 && i > words) {
            moved |= b[i - words - 1] >> (64 - bits);
        }
        a[i] ^= moved;
    }
}

/// window = window * x + bit. The latest bit is the lowest.
void push(Words& window, bool bit, std::size_t used) {
    std::uint64_t carry = bit;
    for (std::size_t i = 0; i < used; i++) {
        const std::uint64_t next = window[i] >> 63;
        window[i] = window[i] << 1 | carry;
        carry = next;
    }
}

bool parity_of_common(const Words& a, const Words& b, std::size_t used) {
    std::uint64_t common = 0;
    for (std::size_t i = 0; i < used; i++) {
        common ^= a[i] & b[i];
    }
    return std::popcount(common) % 2 == 1;
}

}  // namespace

void Bits::add(bool bit) {
    if (size % 64 == 0) {
        words.push_back(0);
    }
    words.back() |= std::uint64_t{bit} << (size % 64);
    size++;
}

unsigned linear_complexity(const Bits& bits) {
    const std::size_t size = bits.size / 64 + 1;
    Words connection(size), before(size), window(size);
    connection[0] = before[0] = 1;
    std::size_t length = 0, since = 1;  // steps since `before` was the connection polynomial
    for (std::size_t n = 0; n < bits.size; n++, since++) {
        const std::size_t used = n / 64 + 1;
        push(window, bits.at(n), used);
        if (!parity_of_common(connection, window, used)) {
            continue;
        }
        const Words kept = connection;
        add_shifted(connection, before, since);
        if (2 * length <= n) {
            length = n + 1 - length;
            before = kept;
            since = 0;
        }
    }
    return static_cast<unsigned>(length);
}

double p_of_linear_complexity(unsigned complexity, unsigned bits) {
    const double l = complexity, n = bits;
    const auto log2_share = [&](double of) { return of == 0 ? -n : std::fmin(2 * n - 2 * of, 2 * of - 1) - n; };
    const bool low = 2 * l <= n;
    double tail = 0;
    for (double of = l; of >= 0 && of <= n; of += low ? -1 : 1) {
        tail += std::exp2(log2_share(of));
    }
    return std::fmin(1.0, 2 * tail);
}

}  // namespace quality
