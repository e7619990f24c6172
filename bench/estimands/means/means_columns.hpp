// Where the columns of means_of.hpp stand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/estimands/means/means_of.hpp"

namespace bench {

inline constexpr std::size_t numbers_column = 0, bad_column = 1, positive_column = 2, first_sum = 3;
inline constexpr std::uint64_t zero_place = std::uint64_t{1} << 22;

/// What each number adds to the product of two different statistics.
inline constexpr std::uint64_t product_offset = std::uint64_t{1} << 44;

inline std::size_t published_columns(const MeansOf& what) { return columns_of(what.statistics.size()); }

/// The column of the product of statistics i <= j.
inline std::size_t product_column(const MeansOf& what, std::size_t i, std::size_t j) {
    const std::size_t n = what.statistics.size();
    return first_sum + n + i * n - i * (i + 1) / 2 + j;
}

inline std::uint64_t numbers_of_launch(const LaunchSpec& spec) { return spec.streams * spec.iters; }

inline std::uint64_t blocks_of(const MeansOf& what, const LaunchSpec& spec) {
    return spec.published / published_columns(what);
}

}  // namespace bench
