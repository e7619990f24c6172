// The arithmetic of a solution outside of its walks, for the GPU and the host. Both add up in the same order and round alike,
// so both take the same steps, bit for bit.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "kernels/mcls/shared/tables.cuh"

namespace mcls {

/// The system A x = c as x = H x + b, with H = I - D^-1 A in compressed rows: first has n + 1 values.
struct SplitSystem {
    std::uint32_t n;
    const std::uint64_t* first;
    const std::uint32_t* column;
    const double* value;
    const double* b;
    const double* diagonal;  // D

    /// Entry i of the residual b - (I - H) x.
    __host__ __device__ __forceinline__ double residual(const double* x, std::uint32_t i) const {
        double sum = b[i] - x[i];
        for (std::uint64_t entry = first[i]; entry < first[i + 1]; entry++) {
            sum = fma(value[entry], x[column[entry]], sum);
        }
        return sum;
    }
};

/// How large a residual is.
struct Sizes {
    double sum;        // of the absolute values of its entries
    double largest;    // absolute value
    std::uint32_t at;  // the first entry that has it
    double squares;    // of the entries of c - A x: the residual times D

    __host__ __device__ __forceinline__ void add(std::uint32_t entry, double value, double d) {
        add({fabs(value), fabs(value), entry, 0});
        squares = fma(d * value, d * value, squares);
    }
    __host__ __device__ __forceinline__ void add(const Sizes& other) {
        sum += other.sum;
        squares += other.squares;
        if (other.largest > largest || (other.largest == largest && other.at < at)) {
            largest = other.largest;
            at = other.at;
        }
    }
};

/// Sizes are added up in groups of lanes: lane l of all has the entries l, l + all, l + 2 all, ... Then the lanes
/// of a group are added in halves: i and i + half, from the largest half to 1. So are the groups.
inline constexpr std::uint32_t lanes_of_group = 256, groups_of_lanes = 256;

/// The sizes of the entries of a lane.
__host__ __device__ __forceinline__ Sizes sizes_of_lane(const SplitSystem& system, const double* r,
                                                        std::uint32_t lane) {
    Sizes sizes = {};
    for (std::uint64_t i = lane; i < system.n; i += lanes_of_group * groups_of_lanes) {
        sizes.add(static_cast<std::uint32_t>(i), r[i], system.diagonal[i]);
    }
    return sizes;
}

/// The numerator over 2^64 of the probability that a history starts at an entry of this value. They add up to nearly 2^64; the
/// largest one takes the rest, modulo 2^64.
__host__ __device__ __forceinline__ std::uint64_t numerator(double value, const Sizes& sizes) {
    const double share = fabs(value) / sizes.sum * 0x1p64;
    return value == 0 ? 0 : share < 1 ? 1 : share >= 0x1p64 ? UINT64_MAX : static_cast<std::uint64_t>(share);
}

/// The last u that chooses an entry, by the sum of the numerators up to it, modulo 2^64, and that of all. Entries of value 0 before
/// all others would get u = 0: their weight is 0.
__host__ __device__ __forceinline__ std::uint64_t last_word(std::uint32_t entry, std::uint64_t end, std::uint64_t all,
                                                            const Sizes& sizes) {
    return entry < sizes.at ? end - (end > 0) : end - all - 1;
}

/// The start at an entry of this value.
__host__ __device__ __forceinline__ Start start_at(std::uint32_t entry, double value, std::uint64_t all,
                                                   const Sizes& sizes) {
    const std::uint64_t mine = numerator(value, sizes) - (entry == sizes.at ? all : 0);
    return {entry,
            mine == 0 ? value : value / (static_cast<double>(mine) * 0x1p-64)};  // 0 of all: 2^64, or a value of 0
}

/// What a unit of the tallies of so many histories adds to x.
inline double unit_of(std::uint64_t histories, int bits) {
    return std::ldexp(1 / static_cast<double>(histories), -bits);
}

/// An entry of x with what the histories add to it: their tally, in units.
__host__ __device__ __forceinline__ double with_tally(double x, std::uint64_t tally, double unit) {
    return fma(static_cast<double>(static_cast<std::int64_t>(tally)), unit, x);
}

}  // namespace mcls
