// Parity checks of recurrences: what words that stand in the defining relation have in common, bit by bit and as samples.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "kernels/pi/shared/hit.cuh"

/// Before a loop whose arrays are in registers on the GPU. The host compiler does not know the pragma.
#ifdef __CUDA_ARCH__
#define ON_GPU_UNROLLED _Pragma("unroll")
#else
#define ON_GPU_UNROLLED
#endif

/// Words whose XOR was taken, and how many of them had each bit set.
struct Parities {
    unsigned long long words;
    unsigned long long ones[32];
};

/// Ones in each of 32 columns: bit k of the count of a column is in plane k.
class ColumnCounts {
 public:
    static constexpr unsigned planes = 12;
    static constexpr unsigned most = (1u << planes) - 1;  // words

    /// Adds 16 words of `next`, by carry-save adders: two operations a word, and one for the upper planes.
    template <typename Next>
    __host__ __device__ __forceinline__ void add_16(Next& next) {
        unsigned carry = carry_of<4>(next);
        for (unsigned k = 4; k < planes; k++) {
            const unsigned before = plane_[k];
            plane_[k] ^= carry;
            carry &= before;
        }
    }

    __host__ __device__ unsigned of(unsigned column) const {
        unsigned count = 0;
        for (unsigned k = 0; k < planes; k++) {
            count |= (plane_[k] >> column & 1) << k;
        }
        return count;
    }

 private:
    unsigned plane_[planes] = {};

    /// Adds 2^k words to the planes below k, and returns what they carry into plane k.
    template <unsigned k, typename Next>
    __host__ __device__ __forceinline__ unsigned carry_of(Next& next) {
        if constexpr (k == 0) {
            return next();
        } else {
            const unsigned a = carry_of<k - 1>(next);
            const unsigned b = carry_of<k - 1>(next);
            const unsigned before = plane_[k - 1];
            plane_[k - 1] = before ^ a ^ b;
            return (before & a) | (before & b) | (a & b);
        }
    }
};

/// x[n] ^ x[n - lag] ^ ... for `words` words (below 2^31) from `draw`, and at most 4,095 more. `memory` is the longest lag or
/// more. On the GPU it is best the number of the generator's lagged words, or a multiple of it: then no register is moved.
template <unsigned memory, unsigned... lags, typename Draw>
__host__ __device__ __forceinline__ Parities parities(Draw& draw, unsigned words) {
    static_assert(((0 < lags && lags <= memory) && ...));
    constexpr unsigned turn = 16 * memory, turns = ColumnCounts::most / turn;
    unsigned history[memory];
    for (unsigned& word : history) {
        word = draw();
    }
    unsigned ones[32] = {};
    Parities counted = {};
    while (counted.words < words) {
        ColumnCounts counts;
        for (unsigned i = 0; i < turns; i++) {
            unsigned n = 0;
            const auto next = [&] {
                const unsigned word = draw();
                const unsigned parity = (word ^ ... ^ history[(n + memory - lags) % memory]);
                history[n++ % memory] = word;
                return parity;
            };
            ON_GPU_UNROLLED
            for (unsigned group = 0; group < memory; group++) {
                counts.add_16(next);
            }
        }
        for (unsigned bit = 0; bit < 32; bit++) {
            ones[bit] += counts.of(bit);
        }
        counted.words += turns * turn;
    }
    for (unsigned bit = 0; bit < 32; bit++) {
        counted.ones[bit] = ones[bit];
    }
    return counted;
}

/// Groups of three samples by how many of them are hits.
struct Triples {
    unsigned long long with_hits[4];
};

/// Of the samples k, k - first and k - second, which take two words each, for `samples` k.
template <unsigned first, unsigned second, typename Draw>
__host__ __device__ Triples triples(Draw& draw, unsigned samples) {
    static_assert(first < 64 && second < 64);
    std::uint64_t history = 0;  // hits, the latest one in bit 0
    Triples counted = {};
    for (unsigned k = 0; k < samples + 64; k++) {
        const unsigned x = draw();
        const unsigned y = draw();
        history = history << 1 | pi::folded_hit(x, y);
        if (k >= 64) {
            counted.with_hits[(history & 1) + (history >> first & 1) + (history >> second & 1)]++;
        }
    }
    return counted;
}

/// Distance of the set bits from half of the words, in sd of independent ones.
inline double sigmas(const Parities& parities, unsigned bit) {
    const double words = static_cast<double>(parities.words);
    return (2 * static_cast<double>(parities.ones[bit]) - words) / std::sqrt(words);
}

/// Distance from 0 of the mean product of the three hits, each less its probability p, in sd of independent ones.
inline double sigmas(const Triples& triples, double p) {
    double sum = 0, n = 0;
    for (int hits = 0; hits < 4; hits++) {
        const double times = static_cast<double>(triples.with_hits[hits]);
        sum += times * std::pow(1 - p, hits) * std::pow(-p, 3 - hits);
        n += times;
    }
    return sum / std::sqrt(n * std::pow(p * (1 - p), 3));
}
