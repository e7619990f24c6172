// Phases that several steps have.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/arrays/shared/arrays.hpp"

namespace arrays {

/// On the host: the words of X, then those of Y, on one core.
cudaError_t make_words(const bench::Launch& l);

/// Copies X and Y to the GPU.
cudaError_t copy_words(const bench::Launch& l);

/// Step::inspect of every step that copies words. Throws VerdictError if the words on the GPU differ from those on the host, or
/// if the host's were not all written.
void check_words(const bench::Launch& l);

}  // namespace arrays
