// The sums that the steps of this ladder publish: payoff, x_T.
#pragma once

#include <cstddef>

#include "bench/step.hpp"
#include "kernels/options/lookback/shared/option.hpp"
#include "kernels/options/shared/published_sums.cuh"

namespace lookback {

/// What a step publishes of a path.
struct PathValues {
    float payoff;
    float log_return;  // x_T
};

template <unsigned steps>
using Sums = options::PublishedSums<reference_of(steps).bits, return_bits>;

/// The same with the twin's payoff.
template <unsigned steps>
using SumsWithTwin = options::PublishedSums<reference_of(steps).bits, reference_of(steps).bits, return_bits>;

/// Counts of a launch whose blocks each publish such sums.
template <typename Sums>
std::size_t counts_of(bench::Shape shape) {
    return std::size_t{Sums::columns} * shape.blocks;
}

/// Paths per thread that keep the sums of a block of so many threads within their range.
constexpr unsigned most_iters_of(unsigned threads) { return bench::most_numbers_of_block / threads; }

}  // namespace lookback
