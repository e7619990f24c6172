// A kernel that only reads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace bench {

/// Enqueues a kernel that reads `bytes` bytes of device memory, a multiple of 16. It may write to `*sum`.
cudaError_t enqueue_read_all(const void* data, std::size_t bytes, unsigned* sum, cudaStream_t stream);

}  // namespace bench
