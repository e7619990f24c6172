// A kernel that only reads, and one that only writes.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace bench {

/// Enqueues a kernel that reads `bytes` bytes of device memory, a multiple of 16. It may write to `*sum`.
cudaError_t enqueue_read_all(const void* data, std::size_t bytes, unsigned* sum, cudaStream_t stream);

/// Enqueues a kernel that writes `bytes` bytes of device memory, a multiple of 16, and reads none.
cudaError_t enqueue_write_all(void* data, std::size_t bytes, cudaStream_t stream);

}  // namespace bench
