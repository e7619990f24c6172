// Paths whose words come from the multiple recursive generator of 31 words.
#pragma once

#include <cuda_runtime.h>

namespace lookback {

/// Calls path() for each of `iters` paths, which draws one word for each of its days. After as many paths as fit into 31
/// words the rest of the 31 is drawn too. Then every word of the state is in the register that it started in.
template <unsigned steps, typename Draw, typename Path>
__host__ __device__ __forceinline__ void for_paths_of_mrg(unsigned iters, Draw& draw, Path&& path) {
    constexpr unsigned words = 31, paths = words / steps;
    for (unsigned i = 0; i < iters / paths; i++) {
        for (unsigned j = 0; j < paths; j++) path();
        for (unsigned j = paths * steps; j < words; j++) draw();
    }
    for (unsigned i = 0; i < iters % paths; i++) path();
}

}  // namespace lookback
