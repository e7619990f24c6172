// The normals of the paths of the lookback option as its steps draw them, one for each day. All are `NormalsOf`. .cu files
// include it, so it is C++17.
#pragma once

#include "kernels/random/normals/normals_of.hpp"

namespace lookback {

/// Box-Muller over the whole circle, words of the hybrid Tausworthe generator.
void normals_of_tausworthe(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

/// Words of the MRG, some of which are drawn but not used (mrg_paths.cuh). Box-Muller over half of the circle.
void normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

/// The same with Box-Muller over the whole circle.
void whole_circle_normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths,
                                 const rng::UseNormals& use);

/// Shifted points of Sobol's sequence in eight dimensions, the inverse distribution function and a Brownian bridge.
void normals_of_bridges(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

/// Box-Muller over half of the circle, words of Philox4x32-7.
void normals_of_philox(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use);

}  // namespace lookback
