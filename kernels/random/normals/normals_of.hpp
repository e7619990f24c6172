// The normals of a step's paths, made again on the host from the words that its threads draw. .cu files include it, so it is
// C++17.
#pragma once

#include <functional>

#include "bench/step.hpp"

namespace rng {

/// Takes the normals of one path.
using UseNormals = std::function<void(const double* normals)>;

/// Calls `use` for each of the `paths` paths of a stream with its `normals` normals in double precision, in the order in
/// which the path uses them.
using NormalsOf = void (*)(unsigned normals, const bench::StreamId& stream, unsigned paths, const UseNormals& use);

}  // namespace rng
