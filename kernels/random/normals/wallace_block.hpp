// The normals of a block with Wallace's generator, made again on the host from the words that its threads draw: `NormalsOf`
// the block's 256 threads for its first one, path by path and thread by thread. Normals of a path: a multiple of 8.
// .cu files include it, so it is C++17.
#pragma once

#include "kernels/random/normals/normals_of.hpp"

namespace rng {

/// Thread t has the numbers that thread t of the source writes.
void normals_of_source_threads(unsigned normals, const bench::StreamId& first, unsigned paths, const UseNormals& use);

/// It has those that it writes in SwizzledPool.
void normals_of_swizzled_threads(unsigned normals, const bench::StreamId& first, unsigned paths, const UseNormals& use);

}  // namespace rng
