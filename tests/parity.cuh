// Parity checks of recurrences: what words that stand in the defining relation have in common, bit by bit and as samples.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "kernels/pi/device/hit.cuh"

/// Words whose exclusive or was taken, and how many of them had each bit set.
struct Parities {
    unsigned long long words;
    unsigned long long ones[32];
};

/// x[n] ^ x[n - lag] ^ ... for `words` words (below 2^32) from `draw`.
template <unsigned... lags, typename Draw>
__host__ __device__ Parities parities(Draw& draw, unsigned words) {
    constexpr unsigned longest = 32;
    static_assert(((lags < longest) && ...));
    unsigned history[longest];
    for (unsigned& word : history) {
        word = draw();
    }
    unsigned ones[32] = {};
    for (unsigned n = 0; n < words; n++) {
        const unsigned word = history[n % longest] = draw();
        const unsigned parity = (word ^ ... ^ history[(n - lags) % longest]);
        for (unsigned bit = 0; bit < 32; bit++) {
            ones[bit] += parity >> bit & 1;
        }
    }
    Parities counted = {words, {}};
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
