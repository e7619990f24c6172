// Words that no generator wrote.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace arrays {

/// Throws VerdictError if more of the `n` words in device memory have the value of the harness's poison, 0xffffffff, than
/// a generator makes by chance. Waits for the stream.
void refuse_unwritten(const std::uint32_t* words, std::size_t n, cudaStream_t stream);

}  // namespace arrays
