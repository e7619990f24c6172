// cuRAND's device generators, usable on the host too, so that a thread's stream can be replayed bit for bit.
//
// curand_kernel.h declares all its functions with the macro QUALIFIERS. The macro is internal to cuRAND, so this is the
// only place that defines it, and known-answer tests check the result (tests/data/known_answers.json).
#pragma once

#if defined(CURAND_KERNEL_H_)
#error "include kernels/random/curand.cuh in place of <curand_kernel.h>"
#endif

#include <cuda_runtime.h>

#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_kernel.h>
#undef QUALIFIERS
