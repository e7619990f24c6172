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
void of_rotated_table(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);
void of_unshifted_bits(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);

/// Those of n11_shuffles: of the lanes_rotated threads from that of `stream`, a thread after the other in each group. A normal
/// is share_rotated times a rotated value and share_own times another one.
inline constexpr unsigned lanes_rotated = 4;
inline constexpr double share_rotated = 0.8, share_own = 0.6;
void of_rotated_lanes(unsigned normals, const bench::StreamId& stream, unsigned groups, const UseNormals& use);

}  // namespace normals::replay
