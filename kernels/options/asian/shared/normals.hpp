// The normals of the paths of the Asian option as its steps draw them: z_a and z_b of a step are two successive ones.
// All are `NormalsOf`. .cu files include it, so it is C++17.
#pragma once

#include "kernels/random/normals/normals_of.hpp"

namespace asian {

/// Those that cuRAND's host interface writes for a launch from Philox: normal number n of a path has number
/// n * paths + path among those of the launch.
void normals_of_curand(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

/// Box-Muller over the whole circle, words of the hybrid Tausworthe generator.
void normals_of_tausworthe(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

/// Box-Muller over half of it, words of the MRG.
void normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

/// The same with Box-Muller over the whole circle.
void whole_circle_normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths,
                                 const rng::UseNormals& use);

/// Those of Wallace's pools, of a block's 256 threads for its first one (wallace_block.hpp). The threads of the source's pool
/// and of the swizzled one take different numbers of a pass.
void normals_of_source_pool(unsigned normals, const bench::StreamId& first, unsigned paths, const rng::UseNormals& use);
void normals_of_swizzled_pool(unsigned normals, const bench::StreamId& first, unsigned paths,
                              const rng::UseNormals& use);

/// Those of shifted points of Sobol's sequence (asian_points.cuh), by the inverse distribution function: coordinates 2 t and
/// 2 t + 1 for step t. Throws NoGpuError without cuRAND's library, which has the direction numbers.
template <unsigned steps>
void normals_of_points(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

/// The same by a Brownian bridge: coordinates 2 i and 2 i + 1 for node i (bridge.hpp).
template <unsigned steps>
void normals_of_bridges(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

}  // namespace asian
