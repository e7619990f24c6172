// The normals of each step, made again on the host: `NormalsOf`, whose "paths" are the groups of a thread. The sine of a pair
// comes before its cosine. .cu files include it, so it is C++17.
#pragma once

#include "kernels/random/normals/normals_of.hpp"

namespace normals::replay {

using rng::UseNormals;

// Box-Muller on XU, by the generator of the words.
void of_xorwow(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);
void of_tausworthe(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);
void of_philox7(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);
void of_mrg(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);

// Of words of the MRG. Pair number i of each 31 comes from XU if the divisor, 3 or 2, divides i, and from polynomials if not.
void of_two_pipes(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);
void of_alternate_pipes(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);
void of_polynomials(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);
void of_inverse_cdf(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);

}  // namespace normals::replay
