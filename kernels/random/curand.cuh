// cuRAND's device generators, usable on the host too, so that a thread's stream can be replayed bit for bit.
//
// QUALIFIERS is the macro by which curand_kernel.h declares all its functions. It is internal to cuRAND, so it is
// defined here and nowhere else, and known answers pin what it gives (tests/data/known_answers.json).
#pragma once

#if defined(CURAND_KERNEL_H_)
#error "include kernels/random/curand.cuh in place of <curand_kernel.h>"
#endif

#include <cuda_runtime.h>

#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_kernel.h>
#undef QUALIFIERS
