// The suite's own tests of a source, on the GPU: the same as on the CPU, word for word, at full size.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/estimands/source.hpp"
#include "quality/catalogue.hpp"
#include "quality/cpu_tests.hpp"

namespace quality {

/// Every source that the tests know, in the order of the catalogue, without the versions of the ladder that draw it.
std::vector<Entry> tested_sources();

/// As hits_per_stream, on the current device. Throws CudaError.
std::vector<std::uint32_t> hits_per_stream_on_gpu(const bench::Source& source, const Streams& streams, unsigned iters);

/// As count_pairs, on the current device. Throws CudaError.
PairCounts count_pairs_on_gpu(const bench::Source& source, const Streams& streams, std::uint64_t pairs_per_stream);

}  // namespace quality
