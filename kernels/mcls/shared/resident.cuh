// How many blocks a multiprocessor holds, for __launch_bounds__.
#pragma once

namespace mcls {

/// `most` blocks of so many threads, or fewer where a multiprocessor has no room for their threads. CUDA C++ Programming Guide,
/// "Compute Capabilities".
constexpr unsigned resident_blocks(unsigned threads, unsigned most) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || \
    __CUDA_ARCH__ == 1030
    constexpr unsigned room = 2048;
#elif __CUDA_ARCH__ == 750
    constexpr unsigned room = 1024;
#else
    constexpr unsigned room = 1536;
#endif
    return most < room / threads ? most : room / threads;
}

}  // namespace mcls
