// The suite's own tests of a source, on the GPU: the same as on the CPU, word for word, at full size.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/contract.hpp"
#include "quality/cpu_tests.hpp"

namespace quality {

/// As hits_per_stream, on the current device. Throws CudaError.
std::vector<std::uint32_t> hits_per_stream_on_gpu(const bench::Source& source, const Streams& streams, unsigned iters);

/// As count_pairs, on the current device. Throws CudaError.
PairCounts count_pairs_on_gpu(const bench::Source& source, const Streams& streams, std::uint64_t pairs_per_stream);

/// Whether the two above know the source.
bool has_gpu_tests(const bench::Source& source);

}  // namespace quality
