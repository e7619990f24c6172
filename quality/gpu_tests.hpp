// The suite's own tests of a source, on the GPU at full size. They draw the same words as the tests on the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/estimands/hits/source.hpp"
#include "quality/catalogue.hpp"
#include "quality/cpu_tests.hpp"

namespace quality {

/// Every tested source in catalogue order. The entries name candidates only; the catalogue adds the ladder's versions.
std::vector<Entry> tested_sources();

/// hits_per_stream on the current device. Throws CudaError.
std::vector<std::uint32_t> hits_per_stream_on_gpu(const bench::Source& source, const Streams& streams, unsigned iters);

/// count_pairs on the current device. Throws CudaError.
PairCounts count_pairs_on_gpu(const bench::Source& source, const Streams& streams, std::uint64_t pairs_per_stream);

}  // namespace quality
