// The streams of a launch on the CPU: each draws its own normals and publishes its own sums.
#pragma once

#include <span>

#include "bench/step.hpp"
#include "kernels/options/shared/published_sums.cuh"
#include "kernels/random/normals/ziggurat.hpp"

namespace options {

inline constexpr unsigned host_streams = 1024;  // some for every core of any machine, so that sums do not depend on it
inline constexpr unsigned lanes = 64;           // paths side by side: whole vectors of any width
inline constexpr const char* host_generator = "MT19937, ziggurat of 128 layers";

/// Step::counts.
template <typename Sums>
std::size_t host_counts(bench::Shape) {
    return std::size_t{Sums::columns} * host_streams;
}

/// A launch: `sums_of_stream(normals, iters)` gives the sums of one stream.
template <typename Sums, typename SumsOfStream>
void for_each_stream(const bench::Launch& l, SumsOfStream&& sums_of_stream) {
#pragma omp parallel for num_threads(l.shape.threads) schedule(static)
    for (unsigned stream = 0; stream < host_streams; stream++) {
        rng::ZigguratNormals normals({l.seed, l.index, host_streams, stream});
        const Sums sums = sums_of_stream(normals, l.iters);
        for (unsigned column = 0; column < Sums::columns; column++) {
            l.counts[column * host_streams + stream] = sums.column(column);
        }
    }
}

}  // namespace options
