// The tables of shared/tables.cuh, made on the host. B is the matrix that the histories walk: the transposed H for the
// adjoint method, H for the forward method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/mcls/system/sparse.hpp"
#include "kernels/mcls/tables/host_tables.hpp"
#include "kernels/mcls/tables/kinds.hpp"

namespace mcls {

/// Numerators over 2^32 of the probabilities of a row of B, in the order of its columns; each is at least 1.
/// Almost optimal ones add up to 2^32. Those of an empty row are none.
std::vector<std::uint64_t> numerators(std::span<const double> row, Sampling sampling);

/// Those of almost optimal probabilities over 2^bits, bits up to 63.
std::vector<std::uint64_t> numerators(std::span<const double> row, int bits);

/// The first row of B whose absorbing numerators exceed 2^32, which cannot be absorbing.
std::optional<std::uint32_t> row_above_one(const Sparse& b);

StartTable start_table(std::span<const double> b);

/// The guide of a table's starts.
void add_guide(StartTable& table);

/// Throws bench::UsageError if B has too many entries. Absorbing rows must not be above one.
CdfTable cdf_table(const Sparse& b, Sampling sampling);

/// All rows have the least power of two of slots that holds the longest one, with its end, if it has one, after its
/// entries. Vose's method on whole numbers: M. D. Vose, "A linear algorithm for generating random numbers with a given
/// distribution", IEEE Trans. Softw. Eng. 17, 1991.
/// Throws bench::UsageError if B has too many rows or too long ones. Absorbing rows must not be above one.
AliasTable alias_table(const Sparse& b, Sampling sampling);

/// The same with given probabilities of the entries of B, which sum to 1 in each row.
AliasTable alias_table(const Sparse& b, std::span<const double> probability);

/// The slots of a row, each of the capacity: its own entry up to the threshold, another one from there on.
struct Aliases {
    std::vector<std::uint64_t> threshold;
    std::vector<std::size_t> alias;  // of a full slot: itself
};

/// `q` of all slots add up to their number times the capacity.
Aliases vose(std::vector<std::uint64_t> q, std::uint64_t capacity);

/// The fixed point of tallies: the largest s with histories * 4 * largest * 2^s < 2^62, where `largest` is the largest
/// mean of |tally| of a history.
int tally_bits(double histories, double largest);

}  // namespace mcls
