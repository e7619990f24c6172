// The article's f: a flag for each sample.
#pragma once

#include "kernels/arrays/shared/arrays.hpp"
#include "kernels/arrays/shared/hit.cuh"
#include "kernels/random/thread_id.cuh"

namespace arrays {

/// One thread for each sample; the grid has as many as there are samples.
static __global__ void flag_hits(std::uint32_t* flags, Words words) {
    const std::uint64_t i = rng::grid_thread();
    flags[i] = is_hit(words.x[i], words.y[i]) ? 1 : 0;
}

/// Enqueues it for a launch of one sample a thread.
inline cudaError_t enqueue_flag_hits(const bench::Launch& l) {
    flag_hits<<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(flags_on_gpu(l), words_on_gpu(l));
    return cudaGetLastError();
}

}  // namespace arrays
